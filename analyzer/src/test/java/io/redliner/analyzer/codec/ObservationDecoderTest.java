// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.analyzer.kafka.Messages;
import io.redliner.analyzer.windowing.InstanceObservation;
import io.redliner.analyzer.windowing.OwnLimitEnds;
import io.redliner.contract.histogram.Histograms;
import io.redliner.contract.v1.ErrorClass;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.Impairment;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Overdue;
import io.redliner.contract.v1.OwnLimit;
import io.redliner.contract.v1.OwnLimitKind;
import io.redliner.sla.LatencyHistogram;
import io.redliner.sla.LatencyHistory;
import io.redliner.sla.WindowStats;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObservationDecoderTest {

    @Property(tries = 300)
    void what_a_collector_encodes_is_read_back(@ForAll @IntRange(min = 0, max = 4) int digits,
            @ForAll @Size(min = 1, max = 50) List<@LongRange(min = 0, max = 86_400_000_000L) Long> micros)
            throws MalformedRecordException {
        var latency = new Histogram(digits);
        micros.forEach(latency::recordValue);

        var read = read(observation(micros.size()).setLatency(Histograms.encode(latency))).measurements().measured();

        assertThat(read.latency()).isEqualTo(LatencyHistogram.of(latency));
    }

    @Test
    void limits_that_redliner_chose_are_read_and_impossible_or_unknown_ones_are_not() throws MalformedRecordException {
        var limit = OwnLimit.newBuilder().setKind(OwnLimitKind.OWN_LIMIT_KIND_ROUTE_TIMEOUT).setValue(15_000)
                .setEnded(12)
                .setRequests(30);
        assertThat(read(observation(1).addOwnLimits(limit).addOwnLimits(OwnLimit.newBuilder().setKindValue(99)))
                .measurements().ownLimits())
                .containsExactly(new OwnLimitEnds("OWN_LIMIT_KIND_ROUTE_TIMEOUT", 15_000, 12, 30));
        refused("own_limits.ended", it -> it.addOwnLimits(limit.clone().setEnded(31)));
        refused("own_limits.requests", it -> it.addOwnLimits(limit.clone().setEnded(0).setRequests(-1)));
        refused("own_limits", it -> IntStream.range(0, 9).forEach(number -> it.addOwnLimits(limit)));
    }

    @Property(tries = 3000)
    void bytes_that_were_changed_on_the_way_are_read_or_refused_and_never_break_anything(@ForAll int position,
            @ForAll byte changed, @ForAll @IntRange(max = 3) int cut) {
        byte[] bytes = Messages.observation(Messages.SUT, 1, 10_000, 100, 50).build().toByteArray();
        bytes[Math.floorMod(position, bytes.length)] = changed;
        byte[] arrived = Arrays.copyOf(bytes, bytes.length - cut);

        readsOrRefuses(arrived);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 2_000_000_000_000L})
    void negative_and_huge_counters_are_refused(long count) {
        refused("started", it -> it.setStarted(count));
        refused("completed", it -> it.setCompleted(count));
        refused("in_flight", it -> it.setInFlight(count));
        refused("errors", it -> it.addErrors(ErrorCount.newBuilder().setCount(count)));
        refused("newly_overdue",
                it -> it.addOverdue(Overdue.newBuilder().setLimitMicros(200_000).setNewlyOverdue(count)));
        refused("settled", it -> it.addOverdue(Overdue.newBuilder().setLimitMicros(200_000).setSettled(count)));
        refused("limit_micros", it -> it.addOverdue(Overdue.newBuilder().setLimitMicros(count)));
        refused("window_length_ms", it -> it.setWindowStartMs(0).setWindowLengthMs(count));
    }

    @Test
    void the_time_before_the_run_is_read() throws MalformedRecordException {
        var read = read(observation(100).setHistory(history(8_000).addRequests(7).addLnMeans(9.5f)
                .addLnVariances(0.25f).addRequests(0).addLnMeans(0).addLnVariances(0)));

        assertThat(read.measurements().histories()).containsExactly(new LatencyHistory(8_000, 1_000,
                List.of(new LatencyHistory.Part(7, 9.5, 0.25), new LatencyHistory.Part(0, 0, 0))));
        assertThat(read(observation(100)).measurements().histories()).isEmpty();
    }

    @Test
    void the_host_of_an_instance_is_read_when_the_collector_knows_it() throws MalformedRecordException {
        assertThat(read(observation(100).addHosts("web-1").addHosts("")).measurements().hosts())
                .containsExactly("web-1");
        assertThat(read(observation(100)).measurements().hosts()).isEmpty();
        refused("hosts", it -> it.addHosts("x".repeat(254)));
        refused("hosts", it -> it.addAllHosts(List.of("1", "2", "3", "4", "5")));
    }

    @Test
    void a_history_that_cannot_be_is_refused() {
        refused("2 parts, 1 means", it -> it.setHistory(history(0).addRequests(1).addRequests(1).addLnMeans(1)));
        refused("history.start_ms", it -> it.setHistory(
                history(it.getWindowStartMs()).addRequests(1).addLnMeans(1).addLnVariances(1)));
        refused("history.start_ms", it -> it.setHistory(history(-1)));
        refused("history.part_length_ms", it -> it.setHistory(history(0).setPartLengthMs(-1)));
        refused("parts of 0 ms", it -> it.setHistory(history(0).setPartLengthMs(0)));
        refused("history.requests", it -> it.setHistory(
                history(0).addRequests(-1).addLnMeans(1).addLnVariances(1)));
        for (float wrong : new float[]{Float.NaN, Float.POSITIVE_INFINITY, -1, 1e30f}) {
            refused("mean", it -> it.setHistory(history(0).addRequests(1).addLnMeans(wrong).addLnVariances(1)));
            refused("variance", it -> it.setHistory(history(0).addRequests(1).addLnMeans(1).addLnVariances(wrong)));
        }
        refused("history.requests", it -> {
            var endless = history(0);
            IntStream.rangeClosed(0, 1_000).forEach(part -> endless.addRequests(0).addLnMeans(0).addLnVariances(0));
            it.setWindowStartMs(2_000_000).setHistory(endless);
        });
    }

    private static io.redliner.contract.v1.LatencyHistory.Builder history(long startMillis) {
        return io.redliner.contract.v1.LatencyHistory.newBuilder().setStartMs(startMillis).setPartLengthMs(1_000);
    }

    @Test
    void streams_are_completed_requests_without_a_latency() throws MalformedRecordException {
        var latency = new Histogram(3);
        latency.recordValueWithCount(50_000, 60);

        var read = read(observation(100).setStreams(40).setLatency(Histograms.encode(latency))).measurements()
                .measured();

        assertThat(read.completed()).isEqualTo(100);
        assertThat(read.latency().getTotalCount()).isEqualTo(60);
        refused("latency", it -> it.setCompleted(100).setStreams(41).setLatency(Histograms.encode(latency)));
        refused("streams", it -> it.setCompleted(100).setStreams(101));
    }

    @Test
    void what_a_collector_says_against_itself_is_a_doubt() throws MalformedRecordException {
        assertThat(read(observation(100).setCompletedRecords(100)).impairment()).isEmpty();
        assertThat(read(observation(100).setCompletedRecords(100).setMissed(1)).impairment()).as("too few to matter")
                .isEmpty();
        assertThat(read(observation(100).setCompletedRecords(100).setMissed(2)).impairment())
                .startsWith("could not count 2 records of ");
        assertThat(read(observation(100).addImpairments(Impairment.IMPAIRMENT_PAUSE)).impairment())
                .isEqualTo("could not measure well: its process stood still");
        assertThat(read(observation(100).addImpairmentsValue(99)).impairment()).isNotEmpty();
        refused("missed", it -> it.setMissed(-1));
    }

    @Test
    void without_a_proxy_nothing_is_said_of_requests() throws MalformedRecordException {
        assertThat(read(observation(100)).hasTraffic()).isTrue();
        assertThat(read(observation(0).setProxies(0)).hasTraffic()).isFalse();
    }

    @Test
    void a_negative_sequence_or_time_is_refused() {
        refused("sequence", it -> it.setSequence(-1));
        refused("window_start_ms", it -> it.setWindowStartMs(-1_000));
        refused("window_start_ms", it -> it.setWindowStartMs(Long.MAX_VALUE / 1_000 * 1_000));
    }

    @Test
    void sums_that_overflow_or_exceed_what_began_or_ended_are_refused() {
        refused("outside", it -> it.setOutside(101));
        refused("errors", it -> it.addErrors(ErrorCount.newBuilder().setCount(60)).addErrors(
                ErrorCount.newBuilder().setErrorClass(ErrorClass.ERROR_CLASS_TIMEOUT).setCount(60)));
        refused("more requests than the 99", it -> it.setCompleted(99));
    }

    @Test
    void histograms_whose_buckets_do_not_ascend_or_count_are_refused() {
        refused("1 buckets and 2 counts", it -> it.setLatency(buckets(List.of(7L), List.of(1L, 1L))));
        refused("0 us above 7", it -> it.setLatency(buckets(List.of(7L, 0L), List.of(1L, 1L))));
        refused("18446744073709551615 us above 0", it -> it.setLatency(buckets(List.of(-1L), List.of(1L))));
        refused("us above 7", it -> it.setLatency(buckets(List.of(7L, Long.MAX_VALUE), List.of(1L, 1L))));
        refused("with 0 requests", it -> it.setLatency(buckets(List.of(7L), List.of(0L))));
        refused("with 18446744073709551615 requests", it -> it.setLatency(buckets(List.of(7L), List.of(-1L))));
        refused("with 9223372036854775807 requests",
                it -> it.setLatency(buckets(List.of(7L, 1L), List.of(1L, Long.MAX_VALUE))));
        refused("65537 buckets", it -> it.setCompleted(1_000_000)
                .setLatency(buckets(Collections.nCopies(65_537, 1L), Collections.nCopies(65_537, 1L))));
    }

    @Test
    void a_summary_is_too_little_for_a_run() throws MalformedRecordException {
        byte[] value = observation(100).setSummary(true).clearLatency().build().toByteArray();

        assertThat(ObservationDecoder.read(Messages.SERVICE, value, true).impairment())
                .contains("has not received the run");
        assertThat(ObservationDecoder.read(Messages.SERVICE, value, false).impairment()).isEmpty();
        assertThat(ObservationDecoder.read(Messages.SERVICE, value, false).measurements().measured().completed())
                .isEqualTo(100);
    }

    @Test
    void requests_without_latencies_are_not_taken_for_fast_ones() throws MalformedRecordException {
        assertThat(read(observation(100).clearLatency()).impairment()).contains("no latencies");
        assertThat(read(observation(0).clearLatency()).impairment()).isEmpty();
        assertThat(read(observation(100).clearLatency().setStreams(100)).impairment()).isEmpty();
    }

    @Test
    void gauges_that_are_no_numbers_stay_unknown_and_keep_nothing_else_from_being_read()
            throws MalformedRecordException {
        var read = read(observation(100).putGauges("cpu", Double.NaN).putGauges("net.tx", Double.POSITIVE_INFINITY)
                .putGauges("memory", 0.5));

        assertThat(read.measurements().measured().gauges()).containsEntry("cpu", Double.NaN).containsEntry("memory",
                0.5);
        assertThat(read.measurements().measured().completed()).isEqualTo(100);
    }

    private static void readsOrRefuses(byte[] value) {
        try {
            var read = ObservationDecoder.read(Messages.SERVICE, value, true);
            var merged = WindowStats
                    .mergeInstances(List.of(read.measurements().measured(), read.measurements().measured()));
            assertThat(merged.latency().getTotalCount()).isBetween(0L, merged.completed());
        } catch (MalformedRecordException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }

    private static void refused(String reason, Consumer<Observation.Builder> change) {
        var observation = observation(100);
        change.accept(observation);
        assertThatThrownBy(() -> read(observation)).isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining(reason);
    }

    private static Observation.Builder observation(int completed) {
        return Messages.observation(Messages.SUT, 1, 10_000, completed, 50);
    }

    private static InstanceObservation read(Observation.Builder observation) throws MalformedRecordException {
        return ObservationDecoder.read(Messages.SERVICE, observation.build().toByteArray(), true);
    }

    private static io.redliner.contract.v1.Histogram buckets(List<Long> increments, List<Long> counts) {
        return io.redliner.contract.v1.Histogram.newBuilder().addAllIncrements(increments).addAllCounts(counts).build();
    }
}
