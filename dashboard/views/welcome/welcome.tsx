/** The first visit, with nothing followed yet: what Revisit does, and three ways to begin. */
export function Welcome() {
  return (
    <div class="welcome">
      <h1>Welcome to Revisit</h1>
      <p class="lead">
        Revisit watches web pages and shows you what changed; it learns how often each page changes
        and visits it no more than that is worth.
      </p>
      <ul class="choice-cards">
        <li>
          <h2>
            <a href="#/pages?add=1">Add a page</a>
          </h2>
          <p>Type or paste an address, such as example.org/news. It is visited at once.</p>
        </li>
        <li>
          <h2>
            <a href="#/pages?add=1&amp;from=file">Import</a>
          </h2>
          <p>Bring a list of addresses or bookmarks, or the pages of another program.</p>
        </li>
        <li>
          <h2>
            <a href="#/demo">See the demo</a>
          </h2>
          <p>A sample web that changes before your eyes, a day in ten seconds.</p>
        </li>
      </ul>
    </div>
  )
}
