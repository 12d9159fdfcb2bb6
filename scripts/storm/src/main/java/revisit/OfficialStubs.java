package revisit;

import crawlercommons.urlfrontier.URLFrontierGrpc;
import crawlercommons.urlfrontier.URLFrontierGrpc.URLFrontierBlockingStub;
import crawlercommons.urlfrontier.Urlfrontier.AckMessage;
import crawlercommons.urlfrontier.Urlfrontier.Active;
import crawlercommons.urlfrontier.Urlfrontier.AnyCrawlID;
import crawlercommons.urlfrontier.Urlfrontier.BlockQueueParams;
import crawlercommons.urlfrontier.Urlfrontier.CountUrlParams;
import crawlercommons.urlfrontier.Urlfrontier.CrawlLimitParams;
import crawlercommons.urlfrontier.Urlfrontier.DeleteCrawlMessage;
import crawlercommons.urlfrontier.Urlfrontier.DiscoveredURLItem;
import crawlercommons.urlfrontier.Urlfrontier.Empty;
import crawlercommons.urlfrontier.Urlfrontier.GetParams;
import crawlercommons.urlfrontier.Urlfrontier.KnownURLItem;
import crawlercommons.urlfrontier.Urlfrontier.ListUrlParams;
import crawlercommons.urlfrontier.Urlfrontier.Local;
import crawlercommons.urlfrontier.Urlfrontier.LogLevelParams;
import crawlercommons.urlfrontier.Urlfrontier.Pagination;
import crawlercommons.urlfrontier.Urlfrontier.QueueDelayParams;
import crawlercommons.urlfrontier.Urlfrontier.QueueList;
import crawlercommons.urlfrontier.Urlfrontier.QueueWithinCrawlParams;
import crawlercommons.urlfrontier.Urlfrontier.Stats;
import crawlercommons.urlfrontier.Urlfrontier.StringList;
import crawlercommons.urlfrontier.Urlfrontier.URLInfo;
import crawlercommons.urlfrontier.Urlfrontier.URLItem;
import crawlercommons.urlfrontier.Urlfrontier.URLStatusRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Every call and rule of the API by its official stubs, against a frontier that is empty and goes by the client's
 * date: java ... revisit.OfficialStubs 127.0.0.1:7071. Ends with 1 at the first rule that does not hold.
 */
public final class OfficialStubs {
  private static int checks = 0;

  public static void main(String[] args) throws Exception {
    ManagedChannel channel = ManagedChannelBuilder.forTarget(args[0]).usePlaintext().build();
    try {
      URLFrontierBlockingStub stub = URLFrontierGrpc.newBlockingStub(channel);
      URLFrontierGrpc.URLFrontierStub async = URLFrontierGrpc.newStub(channel);
      items(stub, async);
      queues(stub, async);
      lists(stub, async);
      removed(stub);
      System.out.println(checks + " checks by the official stubs hold");
    } finally {
      channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
    }
    System.exit(0);
  }

  private static void items(URLFrontierBlockingStub stub, URLFrontierGrpc.URLFrontierStub async)
      throws Exception {
    String odd = "http://Example.org:8080/a%7Eb?q=\u00e4&&#part";
    Map<String, AckMessage.Status> acks =
        put(
            async,
            List.of(
                found("1", info(odd, "", "").putMetadata("depth", list("3"))),
                found("", info("http://b.org/", "", "")),
                found("none", info("nonsense", "", "")),
                found("long", info("http://c.org/", "k".repeat(256), "")),
                URLItem.newBuilder().setID("empty").build(),
                known("done", info("http://d.org/", "", ""), 0),
                known("later", info("http://e.org/", "", ""), now() + 3600)));
    is(acks.get("1"), AckMessage.Status.OK, "a found address");
    is(acks.get("http://b.org/"), AckMessage.Status.OK, "a blank ID is the address");
    is(acks.get("none"), AckMessage.Status.SKIPPED, "an address that is none");
    is(acks.get("long"), AckMessage.Status.SKIPPED, "a key over 255 characters");
    is(acks.get("empty"), AckMessage.Status.SKIPPED, "an empty item");
    is(acks.get("done"), AckMessage.Status.OK, "a date of 0");
    is(
        put(async, List.of(found("2", info(odd, "", "")))).get("2"),
        AckMessage.Status.SKIPPED,
        "a known address found again");
    List<URLInfo> given = get(stub, GetParams.newBuilder().setMaxQueues(10).setDelayRequestable(2));
    is(urls(given), Set.of(odd, "http://b.org/"), "what is due is given to the byte");
    URLInfo first = given.stream().filter(each -> each.getUrl().equals(odd)).findFirst().get();
    is(first.getMetadataOrThrow("depth").getValues(0), "3", "metadata");
    is(first.getKey(), "example.org", "the host's name is the key");
    is(first.getCrawlID(), "DEFAULT", "the crawl of whoever names none");
    is(get(stub, GetParams.newBuilder()).size(), 0, "leased addresses are not given");
    Thread.sleep(3500);
    is(get(stub, GetParams.newBuilder()).size(), 2, "a lease of 2 s has run out, and the delay of 1 s");
    URLItem stored = stub.getURLStatus(URLStatusRequest.newBuilder().setUrl("http://d.org/").build());
    is(stored.getKnown().getRefetchableFromDate(), 0L, "a date of 0 stays");
    try {
      stub.getURLStatus(URLStatusRequest.newBuilder().setUrl("http://nobody.org/").build());
      is("found", "NOT_FOUND", "an address that is not there");
    } catch (StatusRuntimeException error) {
      is(error.getStatus().getCode(), Status.Code.NOT_FOUND, "an address that is not there");
    }
  }

  private static void queues(URLFrontierBlockingStub stub, URLFrontierGrpc.URLFrontierStub async)
      throws Exception {
    String crawl = "queues";
    put(
        async,
        List.of(
            known("1", info("http://q/late", "q", crawl), now() - 10),
            known("2", info("http://q/early", "q", crawl), now() - 20),
            found("3", info("http://blocked/", "blocked", crawl)),
            found("4", info("http://limited/", "limited", crawl)),
            known("5", info("http://limited/done", "limited", crawl), 0)));
    BlockQueueParams.Builder block = BlockQueueParams.newBuilder().setKey("blocked").setCrawlID(crawl);
    stub.blockQueueUntil(block.setTime(now() + 1000).build());
    CrawlLimitParams.Builder limit = CrawlLimitParams.newBuilder().setKey("limited").setCrawlID(crawl);
    stub.setCrawlLimit(limit.setLimit(1).build());
    GetParams.Builder one = GetParams.newBuilder().setCrawlID(crawl).setMaxUrlsPerQueue(1);
    is(urls(get(stub, one)), Set.of("http://q/early"), "the earliest first, no blocked or limited queue");
    Thread.sleep(1500);
    is(get(stub, one).size(), 0, "a queue with its fill in flight");
    GetParams.Builder two = GetParams.newBuilder().setCrawlID(crawl).setMaxUrlsPerQueue(2);
    is(urls(get(stub, two)), Set.of("http://q/late"), "one more where two may be in flight");
    stub.blockQueueUntil(block.setTime(0).build());
    stub.setCrawlLimit(limit.setLimit(0).build());
    is(urls(get(stub, one)), Set.of("http://blocked/", "http://limited/"), "opened again");
    GetParams.Builder noCrawl = GetParams.newBuilder().setKey("q");
    is(get(stub, noCrawl).size(), 0, "a key without a crawl");
    stub.setDelay(QueueDelayParams.newBuilder().setDelayRequestable(1).build());
    stub.setDelay(
        QueueDelayParams.newBuilder().setKey("q").setCrawlID(crawl).setDelayRequestable(3600).build());
    put(async, List.of(known("6", info("http://q/early", "q", crawl), now() - 5)));
    Thread.sleep(1500);
    is(get(stub, two).size(), 0, "the delay of a queue");
    stub.setActive(Active.newBuilder().setState(false).build());
    is(stub.getActive(Local.getDefaultInstance()).getState(), false, "not active");
    put(async, List.of(found("7", info("http://new/", "new", crawl))));
    is(get(stub, one).size(), 0, "nothing while not active");
    stub.setActive(Active.newBuilder().setState(true).build());
    is(urls(get(stub, one)), Set.of("http://new/"), "active again");
    is(
        get(stub, GetParams.newBuilder().setAnyCrawlID(AnyCrawlID.getDefaultInstance())).size(),
        0,
        "any crawl");
  }

  private static void lists(URLFrontierBlockingStub stub, URLFrontierGrpc.URLFrontierStub async)
      throws Exception {
    String crawl = "lists";
    List<URLItem> many = new ArrayList<>();
    for (int at = 0; at < 120; at++)
      many.add(found("" + at, info("http://h" + (1000 + at) + ".org/Page", "", crawl)));
    many.add(known("late", info("http://late.org/", "", crawl), now() + 1000));
    put(async, many);
    QueueList list = stub.listQueues(Pagination.newBuilder().setCrawlID(crawl).build());
    is(list.getValuesCount(), 100, "100 queues by default");
    is(list.getTotal(), 120L, "active ones only");
    Pagination.Builder all = Pagination.newBuilder().setCrawlID(crawl).setSize(500);
    is(stub.listQueues(all.setIncludeInactive(true).build()).getValuesCount(), 121, "inactive too");
    Stats stats = stub.getStats(QueueWithinCrawlParams.newBuilder().setCrawlID(crawl).build());
    is(stats.getSize(), 121L, "size");
    is(stats.getNumberOfQueues(), 121L, "number of queues");
    ListUrlParams.Builder urls = ListUrlParams.newBuilder().setCrawlID(crawl).setSize(1000);
    int[] count = {0};
    stub.listURLs(urls.setFilter("page").setIgnoreCase(true).build()).forEachRemaining(each -> count[0]++);
    is(count[0], 120, "addresses by a part of them");
    CountUrlParams.Builder counted = CountUrlParams.newBuilder().setCrawlID(crawl).setFilter("page");
    is(stub.countURLs(counted.build()).getValue(), 0L, "letters as they are");
    is(stub.countURLs(counted.setIgnoreCase(true).build()).getValue(), 120L, "letters whatever they are");
    is(
        new TreeSet<>(stub.listCrawls(Local.getDefaultInstance()).getValuesList()).toString(),
        "[DEFAULT, lists, queues]",
        "crawls");
    is(stub.listNodes(Empty.getDefaultInstance()).getValuesCount() >= 1, true, "nodes");
    stub.setLogLevel(
        LogLevelParams.newBuilder().setPackage("x").setLevel(LogLevelParams.Level.INFO).build());
  }

  private static void removed(URLFrontierBlockingStub stub) {
    QueueWithinCrawlParams.Builder queue =
        QueueWithinCrawlParams.newBuilder().setCrawlID("lists").setKey("late.org");
    is(stub.deleteQueue(queue.build()).getValue(), 1L, "a queue removed");
    is(
        stub.deleteCrawl(DeleteCrawlMessage.newBuilder().setValue("lists").build()).getValue(),
        120L,
        "a crawl removed");
  }

  private static URLInfo.Builder info(String url, String key, String crawl) {
    return URLInfo.newBuilder().setUrl(url).setKey(key).setCrawlID(crawl);
  }

  private static StringList list(String value) {
    return StringList.newBuilder().addValues(value).build();
  }

  private static URLItem found(String id, URLInfo.Builder info) {
    return URLItem.newBuilder().setID(id).setDiscovered(DiscoveredURLItem.newBuilder().setInfo(info)).build();
  }

  private static URLItem known(String id, URLInfo.Builder info, long date) {
    return URLItem.newBuilder()
        .setID(id)
        .setKnown(KnownURLItem.newBuilder().setInfo(info).setRefetchableFromDate(date))
        .build();
  }

  private static long now() {
    return System.currentTimeMillis() / 1000;
  }

  private static List<URLInfo> get(URLFrontierBlockingStub stub, GetParams.Builder params) {
    List<URLInfo> found = new ArrayList<>();
    stub.getURLs(params.build()).forEachRemaining(found::add);
    return found;
  }

  private static Set<String> urls(List<URLInfo> given) {
    Set<String> urls = new TreeSet<>();
    given.forEach(each -> urls.add(each.getUrl()));
    return urls;
  }

  private static Map<String, AckMessage.Status> put(
      URLFrontierGrpc.URLFrontierStub stub, List<URLItem> items) throws Exception {
    Map<String, AckMessage.Status> acks = new HashMap<>();
    CountDownLatch done = new CountDownLatch(1);
    StreamObserver<URLItem> stream =
        stub.putURLs(
            new StreamObserver<AckMessage>() {
              @Override
              public void onNext(AckMessage ack) {
                acks.put(ack.getID(), ack.getStatus());
              }

              @Override
              public void onError(Throwable error) {
                error.printStackTrace();
                done.countDown();
              }

              @Override
              public void onCompleted() {
                done.countDown();
              }
            });
    items.forEach(stream::onNext);
    stream.onCompleted();
    is(done.await(60, TimeUnit.SECONDS), true, "a stream ends when its client ends it");
    is(acks.size(), items.size(), "an answer for each item");
    return acks;
  }

  private static void is(Object found, Object expected, String what) {
    checks++;
    if (expected.equals(found)) return;
    if (found instanceof Set && expected instanceof Set && ((Set<?>) found).equals(expected)) return;
    System.err.println(what + ": expected " + expected + ", got " + found);
    System.exit(1);
  }

  private OfficialStubs() {}
}
