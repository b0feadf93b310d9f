import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { App } from './app';
import { LanguageProvider } from './i18n/language';
import { SessionProvider } from './session/session';
import { show_theme } from './ui/theme';

show_theme();
const root = document.getElementById('app');
if (root) {
  render(
    <LanguageProvider>
      <LocationProvider scope="/console">
        <SessionProvider>
          <App />
        </SessionProvider>
      </LocationProvider>
    </LanguageProvider>,
    root,
  );
}
