// Which of the loaded jobs a visitor wants to see. Pure.
import { place_text } from './format.js';

const folded = (text, tag) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase(tag);

/** Every word of the search has to be somewhere in the title, department, place or kind of workplace. */
export const chosen_jobs = (jobs, { search = '', department = '', location = '', workplace = '', employment = '' }, tag, say) => {
  const words = folded(search, tag).split(/\s+/).filter(Boolean);
  return jobs.filter((job) => {
    const place = place_text(job.location, tag);
    const has = { department: job.department, location: place, workplace: job.workplaceType, employment: job.employmentType };
    const wanted = { department, location, workplace, employment };
    if (Object.entries(wanted).some(([name, value]) => value && has[name] !== value)) return false;
    const text = folded([job.title, job.department, place, job.workplaceType && say(job.workplaceType)].filter(Boolean).join(' '), tag);
    return words.every((word) => text.includes(word));
  });
};

/** The values to choose from, sorted as the language sorts. */
export const values_of = (jobs, value, tag) =>
  [...new Set(jobs.map(value).filter(Boolean))].sort(new Intl.Collator(tag).compare);
