import { it } from 'vitest'
import { cutCommits } from './cut-commits.js'

it('200 connections cut at their commit: every visit is counted once', () => cutCommits(200))
