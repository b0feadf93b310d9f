"""The reads that are measured: paths of many organizations, each with a key of its own, the large ones more often than the
small ones as their requests would come."""
from urllib.parse import quote

from wrk import with_keys


def chosen(organizations, count):
    """Numbers of organizations from the largest to the smallest, evenly spread over the orders of magnitude; and as many as
    are missing, evenly spread over all."""
    numbers = {round(organizations ** (n / (count - 1))) for n in range(count)}
    missing = count - len(numbers)
    return sorted(numbers | {organizations - n * (organizations // (missing + 1)) for n in range(missing)})


class Reads:
    """Kinds of reads, as lists of paths."""

    def __init__(self, auth_api, public_api, cluster, organizations, keys):
        self.auth, self.public, self.cluster = auth_api, public_api, cluster
        self.slugs = [f"bench-{n}" for n in chosen(organizations, keys)]
        self.keys = {slug: auth_api.make_key(slug, "bench", "member1") for slug in self.slugs}

    def authenticated(self):
        of_each = {
            "own key": lambda _: ["/api/v1/me"],
            "job by id": lambda key: self.auth.job_paths(10, key),
            "page of 50 jobs": lambda _: ["/api/v1/jobs"],
            "page of 50 candidates": lambda key: self.auth.page_paths(5, key),
            "candidates by name": lambda _: ["/api/v1/candidates?sort=name"],
            "one job's candidates": lambda key: [f"/api/v1/jobs/{job}/candidates" for job in self._jobs(key)],
            "candidate by id": lambda key: [f"/api/v1/candidates/{one['id']}" for one in self._candidates(key)],
            "search for a name": lambda key: [f"/api/v1/candidates?q={quote(one['name'])}" for one in self._candidates(key)],
            "pipeline of a job": lambda key: [f"/api/v1/pipeline?jobId={job}" for job in self._jobs(key)],
            "sync without changes": self._sync_paths,
            "members": lambda _: ["/api/v1/members"],
            "billing": lambda _: ["/api/v1/billing"],
            "page of 50 audit rows": lambda _: ["/api/v1/audit"],
            "audit rows of an endpoint": lambda _: ["/api/v1/audit?endpoint=/api/v1/jobs/{id}"],
            "audit rows of a request": lambda key: [f"/api/v1/audit?requestId={one}" for one in self._requests(key)],
        }
        return {name: with_keys({key: paths(key) for key in self.keys.values()}) for name, paths in of_each.items()}

    def published(self):
        rows = self.cluster.sql("SELECT o.slug, replace(s.job_id::text, '-', ''), replace(min(s.stage_id::text), '-', '') "
                                "FROM recruiting.interview_slots s JOIN recruiting.organizations o ON o.id = s.organization_id "
                                f"WHERE o.slug = ANY ('{{{','.join(self.slugs)}}}') GROUP BY 1, 2")
        known = [row.split("|") for row in rows.splitlines()]
        return {
            "published job": [f"/api/public/v1/jobs/{job}" for _, job, _ in known],
            "list of published jobs": [f"/api/public/v1/organizations/{slug}/jobs" for slug, _, _ in known],
            "careers page": [f"/careers/{slug}" for slug, _, _ in known],
            "interview slots": [f"/api/public/v1/scheduling/{job}/{stage}/slots" for _, job, stage in known],
        }

    def _jobs(self, key):
        return [job["id"] for job in self.auth.get("/api/v1/jobs?limit=5", key)["data"]]

    def _candidates(self, key):
        return self.auth.get("/api/v1/candidates?limit=3", key)["data"]

    def _requests(self, key):
        return [quote(row["requestId"]) for row in self.auth.get("/api/v1/audit?limit=2", key)["data"]]

    def _sync_paths(self, key):
        page = self.auth.get("/api/v1/jobs?syncToken=&limit=200", key)["page"]
        while page["hasMore"]:
            page = self.auth.get(f"/api/v1/jobs?syncToken={quote(page['syncToken'])}&limit=200", key)["page"]
        return [f"/api/v1/jobs?syncToken={quote(page['syncToken'])}"]
