package revisit;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Utils;
import org.apache.stormcrawler.Constants;
import org.apache.stormcrawler.Metadata;
import org.apache.stormcrawler.bolt.FetcherBolt;
import org.apache.stormcrawler.bolt.JSoupParserBolt;
import org.apache.stormcrawler.bolt.URLPartitionerBolt;
import org.apache.stormcrawler.indexing.DummyIndexer;
import org.apache.stormcrawler.persistence.Status;
import org.apache.stormcrawler.spout.FileSpout;
import org.apache.stormcrawler.urlfrontier.Spout;
import org.apache.stormcrawler.urlfrontier.StatusUpdaterBolt;
import org.apache.stormcrawler.util.ConfUtils;

/**
 * A crawl whose frontier is Revisit, in one process: java ... revisit.FrontierCrawl
 * crawler-conf.yaml seeds.txt [seconds]. Without seconds it goes on until it is stopped.
 */
public final class FrontierCrawl {

  public static void main(String[] args) throws Exception {
    if (args.length < 2) {
      System.err.println("usage: FrontierCrawl CONFIGURATION SEEDS [SECONDS]");
      System.exit(2);
    }
    Config conf = new Config();
    // Before one's own: without it scheduler.class is null, and the worker dies.
    Map<String, Object> defaults = Utils.findAndReadConfigFile("crawler-default.yaml", false);
    conf.putAll(ConfUtils.extractConfigElement(defaults));
    ConfUtils.loadConf(args[0], conf);
    Config.registerSerialization(conf, Metadata.class);
    Config.registerSerialization(conf, Status.class);

    long seconds = args.length > 2 ? Long.parseLong(args[2]) : Long.MAX_VALUE / 1000;
    try (LocalCluster cluster = new LocalCluster()) {
      cluster.submitTopology("crawl", conf, topology(args[1]).createTopology());
      Thread.sleep(seconds * 1000);
    }
    // Fetcher threads of StormCrawler do not end by themselves.
    System.exit(0);
  }

  private static TopologyBuilder topology(String seeds) {
    TopologyBuilder builder = new TopologyBuilder();
    builder.setSpout("seeds", new FileSpout(true, seeds));
    builder.setSpout("spout", new Spout());
    builder.setBolt("partitioner", new URLPartitionerBolt()).shuffleGrouping("spout");
    builder
        .setBolt("fetcher", new FetcherBolt())
        .fieldsGrouping("partitioner", new Fields("key"));
    builder.setBolt("parser", new JSoupParserBolt()).localOrShuffleGrouping("fetcher");
    builder.setBolt("indexer", new DummyIndexer()).localOrShuffleGrouping("parser");

    Fields url = new Fields("url");
    String stream = Constants.StatusStreamName;
    builder
        .setBolt("status", new StatusUpdaterBolt())
        .fieldsGrouping("seeds", stream, url)
        .fieldsGrouping("fetcher", stream, url)
        .fieldsGrouping("parser", stream, url)
        .fieldsGrouping("indexer", stream, url);
    return builder;
  }

  private FrontierCrawl() {}
}
