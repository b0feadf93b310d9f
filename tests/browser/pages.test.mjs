// Every page for people in each language, light and dark, on a phone and a desktop, with and without a script: axe finds
// nothing, nothing scrolls sideways, and a picture of each is kept (.run/screenshots).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gateway_url } from '../e2e/support/environment.mjs';
import { get_public } from '../e2e/support/client.mjs';
import { make_interview } from '../support/interviews.mjs';
import { await_mails, interview_path } from '../support/mails.mjs';
import { expect_accessible, launch, sideways, take_pictures, watched_page } from './support/site.mjs';

let browser, pages;
before(async () => {
  browser = await launch();
  const { organization, job, stage, emails: [email] } = await make_interview();
  const [{ slotStart }] = (await get_public(`/scheduling/${job}/${stage}/slots`)).json.data;
  const asked = await fetch(new URL(`/api/public/v1/scheduling/${job}/${stage}/bookings`, gateway_url), {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ email, slotStart, timeZone: 'America/Lima' }),
  });
  assert.equal(asked.status, 200);
  const [mail] = await await_mails(email, 1);
  pages = {
    careers: `/careers/${organization.slug}`,
    job: `/careers/${organization.slug}/jobs/${job}`,
    'no-job': `/careers/${organization.slug}/jobs/${'0'.repeat(32)}`,
    'no-match': `/careers/${organization.slug}?q=nothing`,
    interview: interview_path(mail),
    'dead-link': `/interviews/${'x'.repeat(43)}`,
    'not-found': '/elsewhere',
  };
});
after(() => browser.close());

const looks = ['en-GB', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'ja-JP'].flatMap((locale) => [
  { locale, colorScheme: 'light' }, { locale, colorScheme: 'dark' }, { locale, colorScheme: 'light', scripts: 'blocked' },
]);

// Where scripts are off, axe can't run: they are not loaded instead.
for (const { scripts, ...look } of looks) {
  const name = [look.locale.slice(0, 2), look.colorScheme, scripts ? 'without-script' : 'with-script'].join('-');
  test(`all pages: ${name}`, async () => {
    const { page, context } = await watched_page(browser, { ...look, viewport: { width: 390, height: 844 } });
    if (scripts) await context.route(/\.js(\?|$)/, (route) => route.abort());
    for (const [which, path] of Object.entries(pages)) {
      await page.goto(String(new URL(path, gateway_url)));
      if (which === 'job') await page.locator('summary').click();
      if (which === 'job' && !scripts) await page.locator('[name=time]').first().waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), which === 'not-found' ? 'en' : look.locale.slice(0, 2));
      assert.equal(await sideways(page), false, which);
      await expect_accessible(page, `${which}, ${name}`);
      await take_pictures(page, `pages-${which}-${name}`);
    }
    await context.close();
  });
}
