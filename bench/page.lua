-- The plan web-app.jmx for wrk: sign in, get the page, look at its two ends.
local users = 0

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"

function request()
  users = users % 5 + 1
  return wrk.format(nil, "/", nil, ("user=user%d&password=password%d"):format(users, users))
end

function response(status, headers, body)
  if status ~= 200 or not body:find("Signed in as user", 1, true) or not body:find("</html>", -10, true) then
    print("a wrong page, with status " .. status)
    wrk.thread:stop()
  end
end
