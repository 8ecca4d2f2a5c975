// The plan web-app.jmx for k6: sign in, get the page, look at its two ends.
import http from 'k6/http';
import { check } from 'k6';

export const options = { vus: Number(__ENV.USERS), duration: `${__ENV.SECONDS}s` };

export default function () {
  const number = ((__VU - 1) % 5) + 1;
  const user = `user${number}`;
  const page = http.post(`http://127.0.0.1:${__ENV.PORT}/`, { user, password: `password${number}` });
  check(page, {
    'the right page, to its end': (answer) =>
      answer.status === 200 &&
      answer.body.includes(`Signed in as ${user}.`) &&
      answer.body.includes('</html>'),
  });
}
