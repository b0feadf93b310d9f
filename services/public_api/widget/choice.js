// Which of the loaded jobs a visitor wants to see. Pure.
import { place_text } from './format.js';

const folded = (text, tag) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase(tag);

/** What a job has of each choice. */
export const choices = {
  department: (job) => job.department,
  location: (job, tag) => place_text(job.location, tag),
  workplace: (job) => job.workplaceType,
  employment: (job) => job.employmentType,
};

/** Every word of the search has to be somewhere in the title, department, place or kind of workplace. */
export const chosen_jobs = (jobs, { search = '', ...values }, tag, say) => {
  const words = folded(search, tag).split(/\s+/).filter(Boolean);
  const wanted = Object.entries(values).filter(([, value]) => value);
  return jobs.filter((job) => {
    if (wanted.some(([name, value]) => choices[name](job, tag) !== value)) return false;
    const text = folded([job.title, job.department, place_text(job.location, tag), job.workplaceType && say(job.workplaceType)].filter(Boolean).join(' '), tag);
    return words.every((word) => text.includes(word));
  });
};

/** The values to choose from, sorted as the language sorts. */
export const values_of = (jobs, value, tag) =>
  [...new Set(jobs.map(value).filter(Boolean))].sort(new Intl.Collator(tag).compare);
