"""Scrapy fetches, Revisit decides when.

    pip install scrapy
    revisit serve --no-crawl
    scrapy runspider revisit_spider.py -a server=http://127.0.0.1:7400

REVISIT_KEY holds the API key, where the server asks for one. Whenever the
spider has nothing left to do it leases what is due, visits each page once
and reports what it found. Needs Scrapy 2.11 or newer.
"""

import base64
import json
import os
import time
import urllib.error
import urllib.request
import uuid

import scrapy
from scrapy import signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from twisted.internet import reactor, threads


class RevisitSpider(scrapy.Spider):
    name = "revisit"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        # When to try again, and how long a host rests, is for Revisit to say.
        "RETRY_ENABLED": False,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_TIMEOUT": 30,
        "USER_AGENT": "RevisitExample/1.0 (+https://example.org/about-our-fetcher)",
    }

    def __init__(self, server="http://127.0.0.1:7400", worker=None, **kwargs):
        super().__init__(**kwargs)
        self.server = server
        self.worker = worker or f"scrapy-{uuid.uuid4().hex[:8]}"
        self.next_poll = 0.0

    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.look_for_work, signal=signals.spider_idle)
        return spider

    async def start(self):
        """Nothing to begin with: pages come from leases."""
        return
        yield

    def start_requests(self):
        """The same, for Scrapy before 2.13."""
        return iter(())

    def look_for_work(self):
        if time.time() >= self.next_poll:
            answer = self.ask("/api/leases", {"worker": self.worker, "limit": 16, "ttl": 120})
            for lease in answer["leases"]:
                wait = max(0.0, lease["notBefore"] - time.time())
                reactor.callLater(wait, self.crawler.engine.crawl, self.request_of(lease))
            pause = 1.0 if answer["next"] is None else answer["next"] - time.time()
            self.next_poll = time.time() + min(10.0, max(0.2, pause))
        raise DontCloseSpider

    def request_of(self, lease):
        headers = dict(lease["headers"])
        if not lease["unconditional"]:
            if "etag" in lease["validators"]:
                headers["If-None-Match"] = lease["validators"]["etag"]
            if "lastModified" in lease["validators"]:
                headers["If-Modified-Since"] = lease["validators"]["lastModified"]
        return scrapy.Request(
            lease["url"],
            headers=headers,
            callback=self.parse,
            errback=self.failed,
            # Every lease is another visit: Scrapy must not take it for one it has made.
            dont_filter=True,
            meta={"lease": lease, "handle_httpstatus_all": True, "dont_retry": True},
        )

    def parse(self, response):
        headers = {
            name.decode("latin-1").lower(): response.headers[name].decode("latin-1")
            for name in response.headers
        }
        return self.report(
            response.meta["lease"],
            status=response.status,
            headers=headers,
            bytes=len(response.body),
            body=base64.b64encode(response.body).decode("ascii"),
        )

    def failed(self, failure):
        forbidden = failure.check(IgnoreRequest) is not None
        late = "timeout" in failure.type.__name__.lower()
        fault = "robots" if forbidden else "timeout" if late else "connect"
        return self.report(failure.request.meta["lease"], failure=fault)

    def report(self, lease, **found):
        body = {"page": lease["page"], "token": lease["token"], "at": time.time(), **found}
        return threads.deferToThread(self.ask, "/api/reports", body)

    def ask(self, path, body):
        headers = {"Content-Type": "application/json"}
        if "REVISIT_KEY" in os.environ:
            headers["Authorization"] = "Bearer " + os.environ["REVISIT_KEY"]
        request = urllib.request.Request(
            self.server + path, data=json.dumps(body).encode("utf-8"), headers=headers
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            answer = json.load(error)
            # Too slow: the page was given to another meanwhile, and its report counts.
            if answer.get("error", {}).get("code") == "lease-lost":
                return answer
            raise
