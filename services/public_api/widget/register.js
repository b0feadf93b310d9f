// The last file: makes the elements known. A second copy of this script finds them made and leaves them.
import { recruiting_booking } from './booking.js';
import { recruiting_jobs } from './jobs.js';

for (const [name, element] of [['recruiting-jobs', recruiting_jobs], ['recruiting-booking', recruiting_booking]]) {
  if (!customElements.get(name)) customElements.define(name, element);
}
