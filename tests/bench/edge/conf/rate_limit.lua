-- A fixed window in Redis as it is usually done in nginx: one INCR a request over a kept connection, EXPIRE for the
-- first of a minute. Spoken without a client library, which would only cost more.
local _M = {}

local function command(...)
  local parts = { ... }
  local text = { "*" .. #parts }
  for _, part in ipairs(parts) do
    text[#text + 1] = "$" .. #part
    text[#text + 1] = part
  end
  return table.concat(text, "\r\n") .. "\r\n"
end

local function ask(redis, ...)
  local sent, why = redis:send(command(...))
  if not sent then return nil, why end
  local line, lost = redis:receive()
  if not line then return nil, lost end
  return tonumber(line:match("^:(%d+)$")), line
end

local function refuse(left)
  ngx.status = 429
  ngx.header["Content-Type"] = "application/json"
  ngx.header["Retry-After"] = left
  ngx.print('{"error":{"code":"rate_limited","message":"Too many requests."}}')
  return ngx.exit(429)
end

function _M.check(most)
  local redis = ngx.socket.tcp()
  redis:settimeout(1000)
  local connected, why = redis:connect("127.0.0.1", @REDIS@, { pool_size = 600 })
  if not connected then
    ngx.log(ngx.ERR, "Redis: ", why)
    return ngx.exit(503)
  end
  local now = ngx.time()
  local key = "bench:" .. ngx.var.remote_addr .. ":" .. math.floor(now / 60)
  local count, fault = ask(redis, "INCR", key)
  if count == 1 then ask(redis, "EXPIRE", key, "60") end
  if not count then
    ngx.log(ngx.ERR, "Redis: ", fault)
    return ngx.exit(503)
  end
  redis:setkeepalive(60000, 600)
  if count > most then return refuse(60 - now % 60) end
end

return _M
