export {
  type AnnotateOptions,
  type Annotation,
  annotateHtml,
  withoutTag,
  writtenTag,
} from './html/annotate-html.js'
export { type CountReading, declaredChange, weeksCompared } from './tag/declared-change.js'
export { isTagContent, metaTag, tagContent, tagName } from './tag/tag-content.js'
export { type ChangeRecord, weeklyCounts, weekStart } from './tag/weekly-counts.js'
