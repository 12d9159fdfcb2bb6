/**
 * Every view of the dashboard, and every state of one that looks different:
 * which service shows it, where, and what shows that it is there with its data.
 * `[shop/lamp]` in an address stands for the id of that page of one's own.
 */

/** @type {import('./scenes.mjs').Scene[]} */
export const scenes = [
  { service: 'demo', name: 'first', at: '', sign: '.scatter-mark' },
  { service: 'demo', name: 'inbox', at: 'inbox', sign: '.change' },
  { service: 'demo', name: 'overview', at: 'overview', sign: '.scatter-mark' },
  { service: 'demo', name: 'pages', at: 'pages', sign: '.page-table tbody a' },
  { service: 'demo', name: 'page', at: 'pages/1', sign: '.diff' },
  { service: 'demo', name: 'page-settings', at: 'pages/1/settings', sign: '.page-settings' },
  { service: 'demo', name: 'page-how', at: 'pages/1/how', sign: '.visit-line' },
  { service: 'demo', name: 'page-choose', at: 'pages/1/choose', sign: '.glass' },
  { service: 'demo', name: 'budget', at: 'budget', sign: '.tiles' },
  { service: 'demo', name: 'lab', at: 'lab', sign: '.lab-form' },
  { service: 'demo', name: 'lab-run', at: 'lab', sign: '.lab-form', act: runTheLab },
  { service: 'demo', name: 'lab-page', at: 'lab?page=1', sign: '.lab-form' },
  { service: 'demo', name: 'papers', at: 'papers', sign: 'table' },
  { service: 'demo', name: 'paper', at: 'papers/singh', sign: '.claims' },
  { service: 'demo', name: 'hosts', at: 'hosts', sign: 'tbody a' },
  { service: 'demo', name: 'notifications', at: 'notifications', sign: '.channel-form' },
  { service: 'demo', name: 'settings', at: 'settings', sign: '.facts' },

  { service: 'empty', name: 'welcome', at: '', sign: '.choice-cards' },
  { service: 'empty', name: 'inbox', at: 'inbox', sign: '.state.empty' },
  { service: 'empty', name: 'overview', at: 'overview', sign: '.state.empty' },
  { service: 'empty', name: 'pages', at: 'pages', sign: '.state.empty' },
  { service: 'empty', name: 'add', at: 'pages?add=1', sign: 'dialog[open]' },
  { service: 'empty', name: 'import', at: 'pages?add=1&from=file', sign: 'dialog[open]' },
  { service: 'empty', name: 'no-contact', at: 'pages?add=1', sign: 'dialog[open]', act: addPublic },
  { service: 'empty', name: 'budget', at: 'budget', sign: '.tiles, .state.empty' },
  { service: 'empty', name: 'hosts', at: 'hosts', sign: '.state.empty' },
  { service: 'empty', name: 'notifications', at: 'notifications', sign: '.channel-form' },
  { service: 'empty', name: 'settings', at: 'settings', sign: '.facts' },

  { service: 'own', name: 'inbox', at: '', sign: '.change' },
  { service: 'own', name: 'inbox-search', at: 'inbox?q=nothing-like-this', sign: '.state.empty' },
  { service: 'own', name: 'overview', at: 'overview', sign: '.tiles' },
  { service: 'own', name: 'pages', at: 'pages', sign: '.page-table tbody a' },
  { service: 'own', name: 'pages-chosen', at: 'pages', sign: 'tbody a', act: chooseAll },
  { service: 'own', name: 'pages-none', at: 'pages?q=nothing-like-this', sign: '.state.empty' },
  { service: 'own', name: 'page-shop', at: 'pages/[shop/lamp]', sign: '.diff' },
  { service: 'own', name: 'page-whole', at: 'pages/[shop/lamp]', sign: '.diff', act: showWhole },
  { service: 'own', name: 'page-rule', at: 'pages/[shop/lamp]', sign: '.diff', act: makeRule },
  {
    service: 'own',
    name: 'page-settings',
    at: 'pages/[shop/lamp]/settings',
    sign: '.page-settings',
    act: preview,
  },
  { service: 'own', name: 'page-how', at: 'pages/[shop/lamp]/how', sign: '.visit-line' },
  {
    service: 'own',
    name: 'page-choose',
    at: 'pages/[shop/lamp]/choose',
    sign: '.glass',
    act: choosePart,
  },
  { service: 'own', name: 'page-json', at: 'pages/[data.json]', sign: '.diff' },
  { service: 'own', name: 'page-feed', at: 'pages/[feed.xml]', sign: '.diff' },
  { service: 'own', name: 'page-unchanged', at: 'pages/[terms]', sign: '.facts' },
  { service: 'own', name: 'page-script', at: 'pages/[board]', sign: '.advice, .facts' },
  { service: 'own', name: 'page-gone', at: 'pages/[gone]', sign: '.facts' },
  { service: 'own', name: 'page-gone-how', at: 'pages/[gone]/how', sign: '.panel' },
  { service: 'own', name: 'page-gone-choose', at: 'pages/[gone]/choose', sign: '.state' },
  { service: 'own', name: 'page-broken', at: 'pages/[broken]', sign: '.facts' },
  { service: 'own', name: 'page-none', at: 'pages/9999', sign: '.state' },
  { service: 'own', name: 'budget', at: 'budget', sign: '.tiles, .state.empty' },
  { service: 'own', name: 'hosts', at: 'hosts', sign: 'tbody a', act: openHost },
  { service: 'own', name: 'notifications', at: 'notifications', sign: '.channel-form' },
  {
    service: 'own',
    name: 'notifications-preview',
    at: 'notifications',
    sign: '.channel-form',
    act: previewMessage,
  },
  { service: 'own', name: 'settings', at: 'settings', sign: '.facts' },
  { service: 'own', name: 'settings-refused', at: 'settings', sign: '.facts', act: badSetting },
  { service: 'own', name: 'nowhere', at: 'nowhere', sign: '.state' },
  { service: 'own', name: 'menu', at: '', sign: '.change', act: openMenu },

  { service: 'key', name: 'sign-in', at: '', sign: '.sign-in' },
  { service: 'password', name: 'sign-in', at: '', sign: '.sign-in' },
  { service: 'password', name: 'wrong', at: '', sign: '.sign-in', act: wrongPassword },
]

/** Brings a tab to a scene. */
export async function stage(page, { scene, ids }) {
  const to = scene.at.replace(/\[(.+?)\]/, (_, path) => ids?.get(path) ?? path)
  // By way of nowhere, so that the view is made anew.
  for (const hash of ['#/nowhere', `#/${to}`])
    await page.evaluate((where) => {
      location.hash = where
    }, hash)
  await page.locator(scene.sign).first().waitFor({ timeout: 60_000 })
  await scene.act?.(page)
}

async function runTheLab(page) {
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByText(/^Done: /).waitFor({ timeout: 90_000 })
}

async function addPublic(page) {
  await page.getByLabel('Addresses, one a line').fill('example.org/news')
  await page.getByRole('button', { name: 'Add 1 page' }).click()
  await page.getByText(/a contact is needed/).waitFor()
}

async function chooseAll(page) {
  await page.getByRole('checkbox', { name: 'Choose all pages that are loaded' }).check()
}

async function showWhole(page) {
  await page.getByRole('button', { name: 'The whole page' }).click()
  await page.getByRole('button', { name: 'What was compared' }).waitFor()
}

async function makeRule(page) {
  await page.locator('.diff .added').first().hover()
  await page.locator('.diff .added .line-rule').first().click()
  await page.getByRole('button', { name: 'Save this rule' }).waitFor()
}

async function preview(page) {
  await page.getByRole('button', { name: 'Preview: fetch it now' }).click()
  await page.locator('.compared-text').waitFor({ timeout: 30_000 })
}

async function choosePart(page) {
  const price = page.frameLocator('iframe').locator('.price')
  await price.waitFor()
  const box = await price.boundingBox()
  await page.mouse.click(box.x + 5, box.y + box.height / 2)
  await page.getByRole('button', { name: 'Save this rule' }).waitFor()
}

async function openHost(page) {
  await page.getByText('politeness').first().click()
  await page.locator('.facts').first().waitFor()
}

async function previewMessage(page) {
  await page.getByLabel('Through').selectOption('webhook')
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await page
    .getByLabel(/^Address/)
    .first()
    .fill('http://127.0.0.1:9/hook')
  for (const name of ['Only some changes', 'Words of the message'])
    await page.getByText(name).click()
  await page.getByRole('button', { name: 'Preview the message' }).click()
  await page.locator('.message-preview').waitFor()
}

async function badSetting(page) {
  await page.getByLabel('Contact', { exact: true }).fill('nobody')
  await page.getByRole('button', { name: 'Save the settings' }).click()
  await page.locator('[role=alert]').first().waitFor()
}

async function openMenu(page) {
  const menu = page.getByRole('button', { name: /other views/ })
  if (await menu.isVisible()) await menu.click()
}

async function wrongPassword(page) {
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('[role=alert]').first().waitFor()
}
