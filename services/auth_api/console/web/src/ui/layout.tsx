// What is around a page: the organization, the navigation, and the person's own menu.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { languages, use_language, use_text } from '../i18n/language';
import { use_action } from '../api/load';
import { type chosen_session, use_session_context } from '../session/session';
import { Badge, Button, sentence_of } from './basics';
import { Icon } from './icons';
import { kept } from './kept';
import { sections } from './sections';
import { type theme, themes, use_theme } from './theme';

const Preferences = () => {
  const { text, language, choose } = use_language();
  const [theme, choose_theme] = use_theme();
  const names: Record<theme, string> = { system: text.nav.theme_system, light: text.nav.theme_light, dark: text.nav.theme_dark };
  return (
    <div class="preferences">
      <label><span>{text.nav.language}</span>
        <select value={language} onChange={(event) => choose(event.currentTarget.value)}>
          {Object.entries(languages).map(([name, own]) => <option key={name} value={name} lang={name} selected={name === language}>{own}</option>)}
        </select>
      </label>
      <label><span>{text.nav.theme}</span>
        <select value={theme} onChange={(event) => choose_theme(event.currentTarget.value as theme)}>
          {themes.map((name) => <option key={name} value={name} selected={name === theme}>{names[name]}</option>)}
        </select>
      </label>
    </div>
  );
};

const Person = ({ session }: { session: chosen_session }) => {
  const text = use_text();
  const { sign_out } = use_session_context();
  const leave = use_action(() => sign_out());
  return (
    <div class="person">
      <p class="person-name"><strong>{session.name}</strong><span class="quiet">{text.roles[session.member.role]}</span></p>
      <p class="small quiet person-mail" title={session.email}>{session.email}</p>
      <Preferences />
      <Button kind="quiet" busy={leave.busy} onClick={() => void leave.run()}>{text.nav.sign_out}</Button>
      {leave.problem && <p class="error" role="alert">{sentence_of(text, leave.problem)}</p>}
    </div>
  );
};

const Navigation = ({ session, path }: { session: chosen_session; path: string }) => {
  const text = use_text();
  const current = `/console/${path.split('/')[2]}`;
  return (
    <nav aria-label={text.nav.label}>
      <ul>
        {sections(session).map(({ href, name, icon }) => (
          <li key={href}><a href={href} aria-current={href === current ? 'page' : undefined}><Icon name={icon} />{text.nav[name]}</a></li>
        ))}
      </ul>
    </nav>
  );
};

export const Layout = ({ session, path, children }: { session: chosen_session; path: string; children: ComponentChildren }) => {
  const text = use_text();
  const [open, set_open] = useState(false);
  useEffect(() => set_open(false), [path]);
  return (
    <div class="shell">
      <a class="skip" href="#main">{text.common.skip}</a>
      <header class={open ? 'side open' : 'side'} onKeyDown={(event) => event.key === 'Escape' && set_open(false)}>
        <div class="organization">
          <span class="mark" aria-hidden="true">{[...session.organization.name][0]}</span>
          <p><strong>{session.organization.name}</strong>{session.environment === 'test' && <Badge tone="warn">{text.nav.test}</Badge>}</p>
          <button type="button" class="button quiet icon-only menu" aria-expanded={open} aria-controls="side-body" aria-label={text.nav.menu} onClick={() => set_open(!open)}>
            <Icon name={open ? 'close' : 'menu'} />
          </button>
        </div>
        <div id="side-body" class="side-body">
          {session.organizations.length > 1 && <a class="switch" href="/console/organizations"><Icon name="swap" />{text.nav.switch_organization}</a>}
          <Navigation session={session} path={path} />
          <Person session={session} />
        </div>
      </header>
      {children}
    </div>
  );
};

const Product = () => {
  const name = kept('organization');
  const { product, console } = use_text().common;
  return <header class="product"><span class="mark" aria-hidden="true">{[...product][0]}</span><span><strong>{product}</strong> {console}{name && <span class="quiet sub">{name}</span>}</span></header>;
};

/** The frame of every page, before it is known who sees it. */
export const Shell = ({ children }: { children: ComponentChildren }) => {
  const name = kept('organization');
  const { product } = use_text().common;
  return (
    <div class="shell">
      <header class="side"><div class="organization"><span class="mark" aria-hidden="true">{[...(name ?? product)][0]}</span><p><strong>{name ?? product}</strong></p></div></header>
      <main id="main" tabIndex={-1}>{children}</main>
    </div>
  );
};

/** Pages of people who are not in an organization yet: one card in the middle, under the product's name and, if this browser
 * has been in one, the organization's. */
export const Plain = ({ children }: { children: ComponentChildren }) => (
  <div class="outside">
    <Product />
    <main id="main" tabIndex={-1} class="card">{children}</main>
    <footer><Preferences /></footer>
  </div>
);
