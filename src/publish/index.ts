/**
 * The publisher's side: Change-Frequency tags for files and for pages as they are served. Uses model and formats.
 */
export {
  type AnnotateFolderOptions,
  annotateFolder,
  type FolderNotes,
  type PageNote,
  type PageOutcome,
} from './annotate-folder.js'
export {
  type AnnotateOptions,
  type Annotation,
  annotateHtml,
  withoutTag,
  writtenTag,
} from './annotate-html.js'
export { addressesOf, visitsPast } from './store-record.js'
export {
  type ChangeRecord,
  type CountReading,
  declaredChange,
  tagContent,
  weeklyCounts,
} from './tag.js'
export {
  type FolderTagsOptions,
  fastifyTagPages,
  type TagPagesHandler,
  type TagPagesOptions,
  tagPages,
  tagsOfFolder,
} from './tag-pages.js'
