-- wrk's script: GETs of the paths in the file BENCH_PATHS, in random order, with the key in BENCH_KEY; prints one line
-- of JSON at the end.
local requests = {}

function init()
  math.randomseed(os.time())
  local paths = {}
  for line in io.lines(os.getenv("BENCH_PATHS")) do paths[#paths + 1] = line end
  wrk.headers["Authorization"] = "Bearer " .. os.getenv("BENCH_KEY")
  for i = 1, 4096 do requests[i] = wrk.format("GET", paths[math.random(#paths)]) end
end

local n = 0
function request()
  n = n % #requests + 1
  return requests[n]
end

function done(summary, latency)
  local failed = summary.errors
  io.write(string.format('\nRESULT {"requests":%d,"seconds":%.6f,"p50":%.1f,"p99":%.1f,"failed":%d}\n', summary.requests,
    summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    failed.status + failed.connect + failed.read + failed.write + failed.timeout))
end
