import { use_text } from '../i18n/language';
import { home } from '../session/return_path';
import { NotFound } from '../ui/basics';

export const MissingPage = () => {
  const text = use_text();
  return <NotFound title={text.missing.title} href={home} to={text.missing.home}>{text.missing.text}</NotFound>;
};
