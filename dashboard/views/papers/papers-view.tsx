import { useState } from 'preact/hooks'
import { ApiError } from '../../api/api-error.js'
import { linkTo, type Route } from '../../app/route.js'
import { useLoad } from '../../app/use-load.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { MarkedText } from '../../parts/marked-text.js'
import { Panel } from '../../parts/panel.js'
import { Scrolled } from '../../parts/scrolled.js'
import type { PaperClaim, PaperSummary } from './paper.js'

const verdicts = ['holds', 'holds in part', 'does not hold'] as const

/** The papers that Revisit rests on, run again: which of their claims come out. */
export default function PapersView({ route }: { route: Route }) {
  const loaded = useLoad('papers', readPapers)
  return (
    <>
      <div class="head">
        <h1>Papers</h1>
      </div>
      <p class="muted">
        What Revisit rests on, run again with its own code: <code>revisit reproduce</code>. Verdicts
        and numbers are those of the last full run; the figures are of a quick one.
      </p>
      <LoadedView loaded={loaded} what="papers">
        {(papers) => {
          const chosen = papers.find(({ name }) => name === route.path[1])
          return (
            <>
              <Verdicts papers={papers} chosen={chosen?.name} />
              {chosen === undefined ? null : <Paper key={chosen.name} paper={chosen} />}
            </>
          )
        }}
      </LoadedView>
    </>
  )
}

async function readPapers(signal: AbortSignal): Promise<PaperSummary[]> {
  const response = await fetch('./papers.json', { signal })
  if (response.ok) return response.json()
  const message = 'papers.json is not there; build the dashboard again.'
  throw new ApiError({ status: response.status, code: 'no-papers', message })
}

function Verdicts({
  papers,
  chosen,
}: {
  papers: readonly PaperSummary[]
  chosen: string | undefined
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <section class="scrolled panel" tabIndex={0} aria-label="Papers">
      <table class="papers-table">
        <thead>
          <tr>
            <th scope="col">Paper</th>
            {['claims', ...verdicts].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {papers.map(({ name, title, authors, year, claims }) => (
            <tr key={name}>
              <th scope="row">
                <a
                  href={linkTo(['papers', name])}
                  {...(name === chosen ? { 'aria-current': 'true' as const } : {})}
                >
                  {title}
                </a>
                <div class="muted small">
                  {authors}, {year}
                </div>
              </th>
              <td class="number">{claims.length}</td>
              {verdicts.map((verdict) => (
                <td key={verdict} class="number">
                  {claims.filter((claim) => claim.verdict === verdict).length}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Paper({ paper }: { paper: PaperSummary }) {
  const [only, setOnly] = useState('')
  const claims = paper.claims.filter(({ verdict }) => only === '' || verdict === only)
  return (
    <div class="grid paper">
      <Panel title={paper.title} note={`${paper.authors}, ${paper.year}`}>
        <p>
          <MarkedText text={paper.says} />
        </p>
        {paper.found.length === 0 ? null : (
          <>
            <h3>What we found</h3>
            <ul>
              {paper.found.map((text) => (
                <li key={text}>
                  <MarkedText text={text} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Panel>
      {paper.figures.map(({ file, title, caption }) => (
        <figure key={file} class="panel figure">
          <Scrolled what={title}>
            <img
              class="paper-figure"
              src={`./papers/${paper.name}/${file}`}
              alt={title}
              loading="lazy"
            />
          </Scrolled>
          <figcaption>{caption}</figcaption>
        </figure>
      ))}
      <Panel title="Claims">
        <fieldset class="row bare" aria-label="Show claims">
          {['', ...verdicts].map((verdict) => (
            <button
              key={verdict}
              type="button"
              aria-pressed={only === verdict}
              onClick={() => setOnly(verdict)}
            >
              {verdict === '' ? 'all' : verdict}
            </button>
          ))}
        </fieldset>
        <ol class="claims">
          {claims.map((claim) => (
            <Claim key={claim.says + claim.where} claim={claim} />
          ))}
        </ol>
      </Panel>
    </div>
  )
}

function Claim({ claim }: { claim: PaperClaim }) {
  const { says, where, published, verdict, ours, why } = claim
  return (
    <li>
      <p>
        <span class={`verdict ${verdict.replaceAll(' ', '-')}`}>{verdict}</span> {says}{' '}
        <span class="muted">{where}</span>
      </p>
      <dl class="facts small">
        <dt>published</dt>
        <dd>{published === '' ? 'no number' : published}</dd>
        {ours === undefined ? null : (
          <>
            <dt>ours</dt>
            <dd>{ours}</dd>
          </>
        )}
      </dl>
      {why === undefined ? null : <p class="muted small">{why}</p>}
    </li>
  )
}
