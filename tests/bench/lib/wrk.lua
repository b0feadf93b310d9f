-- wrk's script: requests of the paths in the file BENCH_PATHS, in random order, each with the key behind its tab or the one
-- in BENCH_KEY if there is one, with the field in BENCH_FIELD ("Name: value") if there is one, and as POST with a body if
-- BENCH_BODY says of how many bytes; prints one line of JSON at the end.
local requests = {}

function init()
  math.randomseed(os.time())
  local paths = {}
  for line in io.lines(os.getenv("BENCH_PATHS")) do paths[#paths + 1] = line end
  local key, size = os.getenv("BENCH_KEY"), tonumber(os.getenv("BENCH_BODY") or 0)
  if key then wrk.headers["Authorization"] = "Bearer " .. key end
  local name, value = (os.getenv("BENCH_FIELD") or ""):match("^([^:]+): (.*)$")
  if name then wrk.headers[name] = value end
  local body = size > 0 and string.rep("x", size) or nil
  for i = 1, #paths == 1 and 1 or 4096 do
    local path, own_key = paths[math.random(#paths)]:match("^([^\t]*)\t?(.*)$")
    if own_key ~= "" then wrk.headers["Authorization"] = "Bearer " .. own_key end
    requests[i] = wrk.format(body and "POST" or "GET", path, nil, body)
  end
end

local n = 0
function request()
  n = n % #requests + 1
  return requests[n]
end

function done(summary, latency)
  local failed = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"seconds":%.6f,"p50":%.1f,"p99":%.1f,"refused":%d,"failed":%d}\n', summary.requests,
    summary.duration / 1e6, latency:percentile(50), latency:percentile(99), failed.status,
    failed.connect + failed.read + failed.write + failed.timeout))
end
