import pg from 'pg'

/**
 * A loop with nothing but its statements: leases pages and records visits to
 * them on the tables of a store, 100 at a time, without asking who holds what,
 * without records of pages and hosts, and without a rule but the due time. What
 * the store does beyond it is what its rules cost.
 */
export class BareLoop {
  #client
  #worker = 'bare'

  static async open({ url, schema, collection }) {
    const loop = new BareLoop()
    loop.#client = new pg.Client({ connectionString: url, pipeline: true })
    // What goes wrong is told by the query.
    loop.#client.on('error', () => {})
    await loop.#client.connect()
    await loop.#client.query(`set search_path = ${schema}; set jit = off;
      set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off;
      set enable_hashjoin = off; set enable_mergejoin = off;`)
    const { rows } = await loop.#query('collection', 'select id from collections where name = $1', [
      collection,
    ])
    loop.collection = rows[0][0]
    return loop
  }

  /** Leases so many pages and visits them; how many there were. */
  async turn({ now, limit, due, state }) {
    const pages = await this.#lease({ now, limit })
    if (pages.length > 0) await this.#record(pages, { now, due, state })
    return pages.length
  }

  close() {
    return this.#client.end()
  }

  async #lease({ now, limit }) {
    this.#client.query('begin; set local synchronous_commit = off')
    const hosts = await this.#query(
      'lock',
      `select f.host::text from frontier f cross join lateral (
         select from hosts where key = f.host for no key update skip locked) as h
       where f.collection = $1 and f.ready <= $2 and f.held_until is null
       order by f.ready, f.number limit $3`,
      [this.collection, now, limit],
    )
    const { rows } = await this.#query(
      'lease',
      `with picked as materialized (
         select t.host, s.page, nextval('lease_tokens') as token
         from (select * from unnest($1::bigint[]) limit (select 1000000000)) as t (host)
           cross join lateral (
             select page from page_states s where s.host = t.host and s.collection = $2
               and s.due <= $3 order by s.due, s.page limit 1) as s
       ), leased as (
         insert into leases (host, page, collection, token, expires, worker)
         select host, page, $2, token, $4::float8, $5::text from picked
       ), held as (
         update frontier set held_until = $4, holder = $5
         from (select * from unnest($1::bigint[]) limit (select 1000000000)) as t (host)
         where frontier.host = t.host
       )
       select picked.host::text, picked.page, picked.token, p.*, s.*
       from picked
         cross join lateral (select url, added_at, importance, settings, page_group from pages
           where pages.host = picked.host and pages.page = picked.page offset 0) as p
         cross join lateral (select * from page_states
           where page_states.host = picked.host and page_states.page = picked.page offset 0) as s`,
      [hosts.rows.map(([host]) => host), this.collection, now, now + 600, this.#worker],
    )
    await this.#client.query('commit')
    return rows
  }

  async #record(pages, { now, due, state }) {
    const hosts = pages.map(([host]) => host)
    const numbers = pages.map(([, page]) => page)
    const all = (value) => pages.map(() => value)
    this.#client.query('begin')
    const xid = this.#query('xid', 'select pg_current_xact_id()::text', [])
    const locked = this.#query(
      'lock hosts',
      'select key from hosts where key = any($1::bigint[]) order by key for no key update',
      [hosts],
    )
    const first = Number((await xid).rows[0][0]) * 4096
    await locked
    const given = (list) => `(select * from unnest(${list}) limit (select 1000000000))`
    const written = [
      this.#query(
        'visits',
        `insert into visits (number, host, page, previous, at, outcome, status, bytes, duration, fingerprint)
         select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::float8[],
           $6::int[], $7::int[], $8::bigint[], $9::float8[], $10::text[])`,
        [
          pages.map((_, at) => first + at),
          hosts,
          numbers,
          pages.map((row) => row.at(-2)),
          all(now),
          all(1),
          all(304),
          all(300),
          all(0.1),
          all('aabbccddeeff00112233445566778899'),
        ],
      ),
      this.#query(
        'pages',
        `update page_states s set due = u.due, reason = u.reason, etag = u.etag,
           fingerprint = u.fingerprint, learner = u.learner, state = u.state,
           newest_visit = u.newest, last_token = u.token, last_at = u.at, last_outcome = 1,
           last_status = 304, last_seen = u.at, visits = s.visits + 1
         from ${given('$1::bigint[], $2::bigint[], $3::float8[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bytea[], $9::bigint[], $10::bigint[], $11::float8[]')}
           as u (host, page, due, reason, etag, fingerprint, learner, state, newest, token, at)
         where s.host = u.host and s.page = u.page`,
        [
          hosts,
          numbers,
          all(due.at),
          all(due.reason),
          all('"abcdefgh"'),
          all('aabbccddeeff00112233445566778899'),
          all('x'),
          all(state),
          pages.map((_, at) => first + at),
          pages.map(([, , token]) => token),
          all(now),
        ],
      ),
      this.#query(
        'leases',
        `delete from leases l using ${given('$1::bigint[], $2::bigint[]')} as d (host, page)
         where l.host = d.host and l.page = d.page`,
        [hosts, numbers],
      ),
      this.#query(
        'hosts',
        `update hosts set state = u.state, token = u.token, step = 1
         from ${given('$1::bigint[], $2::text[], $3::bigint[]')} as u (key, state, token)
         where hosts.key = u.key`,
        [hosts, all('{"asked":1,"delay":5,"robots":"none"}'), pages.map(([, , token]) => token)],
      ),
      this.#query(
        'frontier',
        `update frontier f set held_until = null, holder = null, served = u.at,
           due = (select due from page_states s where s.host = f.host
             and s.collection = f.collection and s.due is not null order by s.due limit 1)
         from ${given('$1::bigint[], $2::float8[]')} as u (host, at) where f.host = u.host`,
        [hosts, all(now)],
      ),
      this.#client.query('commit'),
    ]
    await Promise.all(written)
  }

  #query(name, text, values) {
    return this.#client.query({ name, text, values, rowMode: 'array' })
  }
}
