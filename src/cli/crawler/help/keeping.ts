import type { Command } from 'commander'

export function importing(command: Command): Command {
  return command
    .summary('record visits that were made elsewhere')
    .description(
      'Record visits that were made elsewhere, from a log as revisit estimate reads it: CSV, JSON\nlines, CDX, CDXJ (each gzipped or not) or Parquet. Their pages are followed from now on.\nVisits of a page that are not after those recorded already are left out. Taken are url, at,\nchanged (or digest), last_modified and calm_for; other columns, such as status and\nfingerprint, are not.',
    )
    .argument('[FILE]', 'the log of visits; piped in without it, or with -')
    .option('-f, --format <name>', 'csv, jsonl, cdx, cdxj or parquet; found from the content')
    .option('-t, --time <kind>', 'how times are written: seconds, milliseconds, iso or cdx')
    .option('-z, --zone <zone>', 'zone of ISO times that name none: utc, or +02:00')
    .option('--strict', 'stop at the first bad line')
}

export function exporting(command: Command): Command {
  return command
    .summary('visits as CSV or JSON lines, a WARC archive, or a folder of copies')
    .description(
      'Write what is kept: visits as CSV or JSON lines (which revisit estimate and import read); a\nWARC archive with a response for each copy and a revisit record for each visit that found it\nunchanged; or a folder of the newest copies with an index.html. CSV and JSON lines go to\nstandard output without TO, which then holds nothing else; with TO, --json tells there what was\nwritten: file, format, how many visits, records or copies, and bytes. An older export gives way;\na database never does.',
    )
    .argument('[TO]', 'a file, or for folder a folder')
    .option(
      '-f, --format <name>',
      'csv, jsonl, warc or folder; told by the ending of the file, gzipped if that is .gz',
    )
    .option('--from <date>', 'only visits from this date on')
    .option('--until <date>', 'only visits before this date')
}

export function backingUp(command: Command): Command {
  return command
    .summary('copy the store to a file, while work goes on')
    .description(
      'Copy the store as it is now to a new file, while work goes on, and check the copy.',
    )
    .argument('<FILE>', 'the file to make')
}

export function restoring(command: Command): Command {
  return command
    .summary('put a backup in the place of the store')
    .description(
      'Put a backup in the place of the store, once it is found whole. A store in use is left alone.',
    )
    .argument('<FILE>', 'the backup')
    .option('--replace', 'replace the store that is there')
}

export function checking(command: Command): Command {
  return command
    .summary('whether the store is in order')
    .description('Whether the store is in order; reads all of it. Exit code 5 where it is not.')
}

export function repairing(command: Command): Command {
  return command
    .summary('take back what a clock that was ahead wrote')
    .description(
      "Take back times that are still to come, as a clock that was ahead wrote them: such visits are moved to now, and their pages are due. First see that this machine's clock is right.",
    )
    .option('--yes', 'do not ask')
}
