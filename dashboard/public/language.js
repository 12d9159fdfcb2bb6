// A browser started without a locale may call its language "en-US@posix", which Intl refuses: the
// charts' library asks Intl for it when it is loaded, and the dashboard would stay blank.
try {
  new Intl.NumberFormat(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}
