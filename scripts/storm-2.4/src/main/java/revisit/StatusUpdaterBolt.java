package revisit;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.persistence.AbstractStatusUpdaterBolt;
import com.digitalpebble.stormcrawler.persistence.Status;
import com.digitalpebble.stormcrawler.util.ConfUtils;
import com.digitalpebble.stormcrawler.util.URLPartitioner;
import crawlercommons.urlfrontier.URLFrontierGrpc;
import crawlercommons.urlfrontier.Urlfrontier.AckMessage;
import crawlercommons.urlfrontier.Urlfrontier.DiscoveredURLItem;
import crawlercommons.urlfrontier.Urlfrontier.KnownURLItem;
import crawlercommons.urlfrontier.Urlfrontier.StringList;
import crawlercommons.urlfrontier.Urlfrontier.URLInfo;
import crawlercommons.urlfrontier.Urlfrontier.URLItem;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/**
 * Sends what StormCrawler found on one stream and acknowledges a tuple once the frontier did, as
 * the bolt of its URLFrontier module does.
 */
public final class StatusUpdaterBolt extends AbstractStatusUpdaterBolt
    implements StreamObserver<AckMessage> {

  private transient ManagedChannel channel;
  private transient URLPartitioner partitioner;
  private transient StreamObserver<URLItem> items;
  private transient Map<String, List<Tuple>> waiting;

  @Override
  public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
    super.prepare(conf, context, out);
    String host = ConfUtils.getString(conf, "urlfrontier.host", "localhost");
    int port = ConfUtils.getInt(conf, "urlfrontier.port", 7071);
    waiting = new HashMap<>();
    partitioner = new URLPartitioner();
    partitioner.configure(conf);
    channel = ManagedChannelBuilder.forAddress(host, port).usePlaintext().build();
    items = URLFrontierGrpc.newStub(channel).withWaitForReady().putURLs(this);
  }

  @Override
  public void store(
      String url, Status status, Metadata metadata, Optional<Date> nextFetch, Tuple tuple) {
    synchronized (waiting) {
      waiting.computeIfAbsent(url, any -> new ArrayList<>()).add(tuple);
    }
    String key = partitioner.getPartition(url, metadata);
    URLInfo.Builder info =
        URLInfo.newBuilder()
            .setKey(key == null ? "_DEFAULT_" : key)
            .setUrl(url)
            .setCrawlID("DEFAULT");
    for (String name : metadata.keySet())
      info.putMetadata(
          name, StringList.newBuilder().addAllValues(Arrays.asList(metadata.getValues(name))).build());
    URLItem.Builder item = URLItem.newBuilder().setID(url);
    if (status.equals(Status.DISCOVERED))
      item.setDiscovered(DiscoveredURLItem.newBuilder().setInfo(info));
    else {
      long date = nextFetch.map(at -> at.toInstant().getEpochSecond()).orElse(0L);
      item.setKnown(KnownURLItem.newBuilder().setInfo(info).setRefetchableFromDate(date));
    }
    items.onNext(item.build());
  }

  @Override
  public void onNext(AckMessage answer) {
    List<Tuple> tuples;
    synchronized (waiting) {
      tuples = waiting.remove(answer.getID());
    }
    if (tuples == null) return;
    for (Tuple tuple : tuples)
      if (answer.getStatus() == AckMessage.Status.FAIL) _collector.fail(tuple);
      else super.ack(tuple, answer.getID());
  }

  @Override
  public void onError(Throwable fault) {
    fault.printStackTrace();
  }

  @Override
  public void onCompleted() {}

  @Override
  public void cleanup() {
    items.onCompleted();
    channel.shutdownNow();
  }
}
