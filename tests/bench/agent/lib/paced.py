"""A client that asks at a fixed rate."""
import http.client
import time


def stretch(service, path, rate, seconds):
    """p50 and p99 in milliseconds of requests that are due at fixed times: one that waits for the one before counts from
    when it was due."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    begin, took = time.perf_counter(), []
    for index in range(rate * seconds):
        due = begin + index / rate
        early = due - time.perf_counter()
        if early > 0:
            time.sleep(early)
        sent = time.perf_counter() if early > 0 else due
        connection.request("GET", path, headers={"Authorization": "Bearer " + service.key})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise SystemExit(f"GET {path} answered {answer.status}")
        took.append((time.perf_counter() - sent) * 1000)
    connection.close()
    took.sort()
    return took[len(took) // 2], took[len(took) * 99 // 100]
