-- wrk's script: requests of the paths in the file BENCH_PATHS, in random order, each with the key behind its tab or the one
-- in BENCH_KEY if there is one, with the fields in BENCH_FIELD ("Name: value", one a line), and as POST with the body behind
-- its second tab or of as many bytes as BENCH_BODY says; prints one line of JSON at the end.
local requests = {}

function init()
  math.randomseed(os.time())
  local paths = {}
  for line in io.lines(os.getenv("BENCH_PATHS")) do paths[#paths + 1] = line end
  local key, size = os.getenv("BENCH_KEY"), tonumber(os.getenv("BENCH_BODY") or 0)
  if key then wrk.headers["Authorization"] = "Bearer " .. key end
  for name, value in (os.getenv("BENCH_FIELD") or ""):gmatch("([^:\n]+): ([^\n]*)") do wrk.headers[name] = value end
  local body = size > 0 and string.rep("x", size) or nil
  for i = 1, #paths == 1 and 1 or 4096 do
    local path, own_key, own_body = paths[math.random(#paths)]:match("^([^\t]*)\t?([^\t]*)\t?(.*)$")
    if own_key ~= "" then wrk.headers["Authorization"] = "Bearer " .. own_key end
    local sent = own_body ~= "" and own_body or body
    requests[i] = wrk.format(sent and "POST" or "GET", path, nil, sent)
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
