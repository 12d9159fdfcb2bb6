export type {
  ClaimVerdict,
  Finding,
  Paper,
  PaperFigure,
  PaperResult,
  PaperRun,
  PaperTable,
  Published,
  PublishedClaim,
} from 'revisit/report'
