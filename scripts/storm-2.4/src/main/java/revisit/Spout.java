package revisit;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.persistence.AbstractQueryingSpout;
import com.digitalpebble.stormcrawler.util.ConfUtils;
import crawlercommons.urlfrontier.URLFrontierGrpc;
import crawlercommons.urlfrontier.URLFrontierGrpc.URLFrontierStub;
import crawlercommons.urlfrontier.Urlfrontier.GetParams;
import crawlercommons.urlfrontier.Urlfrontier.URLInfo;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;

/**
 * Asks the frontier for addresses as the spout of StormCrawler's URLFrontier module does: no
 * crawlID, a lease of the topology's timeout.
 */
public final class Spout extends AbstractQueryingSpout {

  private transient ManagedChannel channel;
  private transient URLFrontierStub frontier;
  private GetParams request;

  @Override
  public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector out) {
    super.open(conf, context, out);
    String host = ConfUtils.getString(conf, "urlfrontier.host", "localhost");
    int port = ConfUtils.getInt(conf, "urlfrontier.port", 7071);
    channel = ManagedChannelBuilder.forAddress(host, port).usePlaintext().build();
    frontier = URLFrontierGrpc.newStub(channel).withWaitForReady();
    request =
        GetParams.newBuilder()
            .setMaxUrlsPerQueue(ConfUtils.getInt(conf, "urlfrontier.max.urls.per.bucket", 10))
            .setMaxQueues(ConfUtils.getInt(conf, "urlfrontier.max.buckets", 10))
            .setDelayRequestable(ConfUtils.getInt(conf, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 30))
            .build();
  }

  @Override
  protected void populateBuffer() {
    isInQuery.set(true);
    frontier.getURLs(
        request,
        new StreamObserver<URLInfo>() {
          @Override
          public void onNext(URLInfo item) {
            Metadata metadata = new Metadata();
            item.getMetadataMap()
                .forEach((name, list) -> list.getValuesList().forEach(v -> metadata.addValue(name, v)));
            buffer.add(item.getUrl(), metadata, item.getKey());
          }

          @Override
          public void onError(Throwable fault) {
            fault.printStackTrace();
            markQueryReceivedNow();
          }

          @Override
          public void onCompleted() {
            markQueryReceivedNow();
          }
        });
  }

  @Override
  public void close() {
    super.close();
    channel.shutdown();
  }
}
