"""Real Elasticsearch and OpenSearch servers for tests; `scripts/servers` is the command.

`products` says what is fetched, `archives` fetches and unpacks it, `elasticsearch_plugins` adds
what that archive lacks, `instance` starts and stops one server in a folder of its own, and
`docker` does the same with the official images.
"""
