export {
  type AnnotateFolderOptions,
  annotateFolder,
  type FolderNotes,
} from './folder/annotate-folder.js'
export { type FolderRecord, readFolderRecord, recordName } from './folder/folder-record.js'
export type { PageNote, PageOutcome } from './folder/page-note.js'
export type { PagePast } from './folder/page-past.js'
export {
  type AnnotateOptions,
  type Annotation,
  annotateHtml,
  withoutTag,
  writtenTag,
} from './html/annotate-html.js'
export { fastifyTagPages } from './serve/fastify-tag-pages.js'
export { type TagPagesHandler, type TagPagesOptions, tagPages } from './serve/tag-pages.js'
export { type FolderTagsOptions, tagsOfFolder } from './serve/tags-of-folder.js'
export { addressesOf } from './store/addresses-of.js'
export { visitsPast } from './store/visits-past.js'
export { type CountReading, declaredChange, weeksCompared } from './tag/declared-change.js'
export { isTagContent, metaTag, tagContent, tagName } from './tag/tag-content.js'
export { type ChangeRecord, weeklyCounts, weekStart } from './tag/weekly-counts.js'
