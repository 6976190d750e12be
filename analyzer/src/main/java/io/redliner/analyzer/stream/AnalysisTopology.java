// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.Topic;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.Stores;

/** Observations and runs, partitioned alike, in; verdicts out. */
final class AnalysisTopology {

    private static final String OBSERVATIONS = "observations";

    private static final String RUNS = "runs-of-controllers";

    private static final String ANALYSIS = "analysis";

    private AnalysisTopology() {}

    static Topology of(StreamProperties properties, SearchSettings search, InstantSource clock,
            AnalyzerMetrics metrics) {
        var keys = new StringDeserializer();
        var values = new ByteArrayDeserializer();
        // Old windows are of no use, but the run that is live now may have been announced long ago.
        return new Topology()
                .addSource(AutoOffsetReset.latest(), OBSERVATIONS, keys, values, Topic.OBSERVATIONS.topicName())
                .addSource(AutoOffsetReset.earliest(), RUNS, keys, values, Topic.RUNS.topicName())
                .addProcessor(ANALYSIS,
                        () -> new AnalysisProcessor(() -> PartitionAnalysis.service(properties.grace(), search),
                                properties.tick(), clock, metrics),
                        OBSERVATIONS, RUNS)
                .addStateStore(Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(AnalysisProcessor.RUNS),
                        Serdes.String(), Serdes.ByteArray()).withLoggingEnabled(Map.of()), ANALYSIS)
                .addSink("verdicts", Topic.VERDICTS.topicName(), new StringSerializer(), new ByteArraySerializer(),
                        ANALYSIS);
    }
}
