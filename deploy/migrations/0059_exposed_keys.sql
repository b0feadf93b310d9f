-- A request with an API key in a public place is logged and counted; no table holds a report of it.
DROP TABLE recruiting.exposed_credentials;
DROP TABLE recruiting.exposure_keys;
