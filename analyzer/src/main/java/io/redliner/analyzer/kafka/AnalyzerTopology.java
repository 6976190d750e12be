// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.Stores;

/** The topology: reads observations and runs, which are partitioned alike, and writes verdicts and parked records. */
public final class AnalyzerTopology {

    private static final String OBSERVATIONS = "observations";

    private static final String RUNS = "runs-of-controllers";

    private static final String ANALYSIS = "analysis";

    /** Compacts early: without a standby replica, a takeover reads the whole changelog. */
    private static final Map<String, String> CHANGELOG = Map.of(TopicConfig.SEGMENT_BYTES_CONFIG, "16777216",
            TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.2");

    private AnalyzerTopology() {}

    /** Builds the topology for a test driver, in which every record counts as acknowledged at once. */
    public static Topology of(ProcessorProperties properties, TopicNames topics, SearchSettings search,
            InstantSource clock, AnalyzerMetrics metrics) {
        return of(properties, topics, search, clock, metrics, new ProducerAckTracker());
    }

    /** @param ackTracker tracker of the producers that run the topology */
    static Topology of(ProcessorProperties properties, TopicNames topics, SearchSettings search, InstantSource clock,
            AnalyzerMetrics metrics, ProducerAckTracker ackTracker) {
        var keys = new StringDeserializer();
        var values = new ByteArrayDeserializer();
        var store = Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(AnalyzerProcessor.STORE),
                Serdes.String(), Serdes.ByteArray()).withLoggingEnabled(CHANGELOG);
        // Observations of old windows are useless. A run that is live now may have been announced long ago.
        return new Topology()
                .addSource(AutoOffsetReset.latest(), OBSERVATIONS, keys, values, topics.name(Topic.OBSERVATIONS))
                .addSource(AutoOffsetReset.earliest(), RUNS, keys, values, topics.name(Topic.RUNS))
                .addProcessor(ANALYSIS,
                        () -> new AnalyzerProcessor(() -> PartitionAnalyzer.service(properties.grace(), search),
                                properties, topics, clock, metrics, ackTracker),
                        OBSERVATIONS, RUNS)
                .addStateStore(store, ANALYSIS)
                .addSink(AnalyzerProcessor.VERDICTS, topics.name(Topic.VERDICTS), new StringSerializer(),
                        new ByteArraySerializer(), ANALYSIS)
                .addSink(AnalyzerProcessor.PARKED, topics.name(Topic.PARKED), new StringSerializer(),
                        new ByteArraySerializer(), ANALYSIS);
    }
}
