// Before the first paint, so that a chosen theme does not flash as the other one.
try {
  const chosen = localStorage.getItem('revisit-theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {}
