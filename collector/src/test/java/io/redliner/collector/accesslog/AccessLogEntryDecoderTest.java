// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.data.accesslog.v3.AccessLogCommon;
import io.envoyproxy.envoy.data.accesslog.v3.AccessLogType;
import io.envoyproxy.envoy.data.accesslog.v3.HTTPAccessLogEntry;
import io.envoyproxy.envoy.data.accesslog.v3.ResponseFlags;
import io.redliner.collector.windowing.RequestError;
import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.RequestRecord;
import io.redliner.collector.windowing.WindowMetrics.RecordDropReason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AccessLogEntryDecoderTest {

    private final AccessLogEntryDecoder reader = new AccessLogEntryDecoder();

    private final RequestRecord report = new RequestRecord();

    @Test
    void a_start_is_matched_by_the_request_id_for_upstream_entries_have_no_stream_id() {
        HTTPAccessLogEntry.Builder entry = start();

        assertThat(read(entry.build())).isEqualTo("REQUEST");

        assertThat(report.kind()).isEqualTo(RecordKind.START);
        assertThat(report.requestId()).isEqualTo("request-1");
        assertThat(report.instance()).isEqualTo("10.0.0.1:80");
        assertThat(report.atMicros()).isEqualTo(100_000_005);
        assertThat(report.weight()).isEqualTo(1);
    }

    @Test
    void a_start_on_a_route_for_what_no_lease_speaks_of_is_outside() {
        assertThat(startOn("shop/redirected/10.0.0.7:80/outside")).isTrue();
        assertThat(startOn("shop/outside")).isTrue();
        assertThat(startOn("shop/outsiders")).isFalse();
        assertThat(startOn("shop/cohort/outside/redirected/10.0.0.7:80")).isFalse();
        assertThat(startOn("")).isFalse();
    }

    private boolean startOn(String route) {
        HTTPAccessLogEntry.Builder entry = start();
        entry.getCommonPropertiesBuilder().setRouteName(route);
        assertThat(read(entry.build())).isEqualTo("REQUEST");
        return report.outside();
    }

    @Test
    void a_proxy_that_makes_ids_for_the_collector_tells_requests_apart_that_share_one() {
        HTTPAccessLogEntry.Builder start = start();
        start.getRequestBuilder().putRequestHeaders("x-redliner-id", "own-1");
        assertThat(read(start.build())).isEqualTo("REQUEST");
        assertThat(report.requestId()).isEqualTo("own-1");

        HTTPAccessLogEntry.Builder end = end();
        end.getRequestBuilder().putRequestHeaders("x-redliner-id", "own-1");
        assertThat(read(end.build())).isEqualTo("REQUEST");
        assertThat(report.requestId()).isEqualTo("own-1");
    }

    @Test
    void a_start_has_the_timeout_that_its_route_gives_it() {
        HTTPAccessLogEntry.Builder entry = start();
        assertThat(read(entry.build())).isEqualTo("REQUEST");
        assertThat(report.timeoutMicros()).isZero();

        entry.getRequestBuilder().putRequestHeaders("x-envoy-expected-rq-timeout-ms", "1500");
        assertThat(read(entry.build())).isEqualTo("REQUEST");
        assertThat(report.timeoutMicros()).isEqualTo(1_500_000);

        entry.getRequestBuilder().putRequestHeaders("x-envoy-expected-rq-timeout-ms", "soon");
        assertThat(read(entry.build())).isEqualTo("MALFORMED");
    }

    @Test
    void an_end_has_the_header_that_names_its_trace() {
        HTTPAccessLogEntry.Builder entry = entry(AccessLogType.DownstreamEnd);
        entry.getCommonPropertiesBuilder().setStreamId("stream-1").setDuration(seconds(3));
        read(entry.build());
        assertThat(report.traceContext()).isEmpty();

        entry.getRequestBuilder().putRequestHeaders("x-b3-traceid", "a3ce929d0e0e4736");
        read(entry.build());
        assertThat(report.traceContext()).isEqualTo("a3ce929d0e0e4736");

        entry.getRequestBuilder().putRequestHeaders("traceparent",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        read(entry.build());
        assertThat(report.traceContext()).startsWith("00-4bf9");
    }

    @Test
    void an_end_has_the_latency_up_to_the_last_byte_to_the_user() {
        HTTPAccessLogEntry.Builder entry = entry(AccessLogType.DownstreamEnd);
        entry.getCommonPropertiesBuilder().setStreamId("stream-1").setDuration(seconds(3))
                .setTimeToLastDownstreamTxByte(seconds(2));

        assertThat(read(entry.build())).isEqualTo("REQUEST");

        assertThat(report.kind()).isEqualTo(RecordKind.END);
        assertThat(report.requestId()).isEqualTo("stream-1");
        assertThat(report.atMicros()).isEqualTo(103_000_005);
        assertThat(report.latencyMicros()).isEqualTo(2_000_000);
        assertThat(report.error()).isNull();
    }

    @Test
    void an_end_has_the_status_of_a_grpc_call() {
        HTTPAccessLogEntry.Builder entry = end();
        entry.getResponseBuilder().setResponseCode(UInt32Value.of(200))
                .putResponseTrailers("grpc-status", "14");

        assertThat(read(entry.build())).isEqualTo("REQUEST");

        assertThat(report.grpcStatus()).isEqualTo(14);
        assertThat(report.status()).isEqualTo(200);
        assertThat(report.attempts()).isEqualTo(1);
    }

    @Test
    void a_sample_stands_for_as_many_requests_as_its_rate_says_by_the_proxy_or_by_a_tag() {
        HTTPAccessLogEntry.Builder byRate = end();
        byRate.getCommonPropertiesBuilder().setSampleRate(0.25);
        HTTPAccessLogEntry.Builder byTag = end();
        byTag.getCommonPropertiesBuilder().putCustomTags("redliner.sample_rate", "0.1");

        assertThat(weight(byRate)).isEqualTo(4);
        assertThat(weight(byTag)).isEqualTo(10);
        for (String rate : List.of("0.0000001", "2", "-1", "NaN", "half")) {
            HTTPAccessLogEntry.Builder entry = end();
            entry.getCommonPropertiesBuilder().putCustomTags("redliner.sample_rate", rate);
            assertThat(read(entry.build())).as(rate).isEqualTo("MALFORMED");
        }
    }

    private double weight(HTTPAccessLogEntry.Builder entry) {
        assertThat(read(entry.build())).isEqualTo("REQUEST");
        return report.weight();
    }

    @Test
    void an_end_without_an_answer_has_the_latency_up_to_its_end_also_from_an_older_proxy() {
        HTTPAccessLogEntry.Builder entry = entry(AccessLogType.NotSet);
        entry.getCommonPropertiesBuilder().setDuration(seconds(3));

        assertThat(read(entry.build())).isEqualTo("REQUEST");

        assertThat(report.latencyMicros()).isEqualTo(3_000_000);
    }

    @Test
    void entries_that_tell_nothing_new_are_ignored() {
        assertThat(read(entry(AccessLogType.DownstreamStart))).isEqualTo("IGNORED");
        assertThat(read(HTTPAccessLogEntry.newBuilder()
                .setCommonProperties(AccessLogCommon.newBuilder().setAccessLogTypeValue(999))))
                .isEqualTo("IGNORED");
    }

    @Test
    void an_end_that_never_reached_an_instance_is_of_none() {
        HTTPAccessLogEntry.Builder entry = end();
        entry.getCommonPropertiesBuilder().clearUpstreamRemoteAddress();

        assertThat(read(entry)).isEqualTo("NO_UPSTREAM");
    }

    @Test
    void a_request_for_which_the_route_of_a_test_had_no_instance_is_a_failure_of_its_sut() {
        for (String route : List.of("shop/redirected/10.0.0.7:80", "shop/redirected/10.0.0.7:80/outside",
                "shop/cohort/germans/redirected/10.0.0.7:80", "a/redirected/b/redirected/10.0.0.7:80")) {
            HTTPAccessLogEntry.Builder entry = refused(route);

            assertThat(read(entry)).as(route).isEqualTo("REQUEST");
            assertThat(report.instance()).isEqualTo("10.0.0.7:80");
            assertThat(report.error()).isEqualTo(RequestError.REFUSED_BY_PROXY);
        }
    }

    private static HTTPAccessLogEntry.Builder refused(String route) {
        HTTPAccessLogEntry.Builder entry = end();
        entry.getCommonPropertiesBuilder().clearUpstreamRemoteAddress().setRouteName(route)
                .getResponseFlagsBuilder().setNoHealthyUpstream(true);
        return entry;
    }

    @Test
    void a_request_without_an_instance_on_another_route_or_whose_user_hung_up_is_of_none() {
        for (String route : List.of("", "shop", "shop/outside", "/redirected/10.0.0.7:80")) {
            assertThat(read(refused(route))).as(route).isEqualTo("NO_UPSTREAM");
        }
        HTTPAccessLogEntry.Builder cancelled = refused("shop/redirected/10.0.0.7:80");
        cancelled.getCommonPropertiesBuilder().getResponseFlagsBuilder().clear()
                .setDownstreamConnectionTermination(true);
        assertThat(read(cancelled)).isEqualTo("NO_UPSTREAM");
    }

    @Test
    void entries_that_make_no_sense_are_malformed() {
        HTTPAccessLogEntry.Builder noDuration = entry(AccessLogType.DownstreamEnd);
        HTTPAccessLogEntry.Builder negative = entry(AccessLogType.DownstreamEnd);
        negative.getCommonPropertiesBuilder().setDuration(seconds(-1));
        HTTPAccessLogEntry.Builder endless = entry(AccessLogType.DownstreamEnd);
        endless.getCommonPropertiesBuilder().setDuration(seconds(Long.MAX_VALUE));
        HTTPAccessLogEntry.Builder noStart = end();
        noStart.getCommonPropertiesBuilder().clearStartTime();
        HTTPAccessLogEntry.Builder absurdStart = end();
        absurdStart.getCommonPropertiesBuilder().setStartTime(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE));
        HTTPAccessLogEntry.Builder noPort = end();
        noPort.getCommonPropertiesBuilder().getUpstreamRemoteAddressBuilder().getSocketAddressBuilder()
                .setPortValue(0);

        for (HTTPAccessLogEntry.Builder entry : List.of(noDuration, negative, endless, noStart, absurdStart,
                noPort)) {
            assertThat(read(entry)).isEqualTo("MALFORMED");
        }
        HTTPAccessLogEntry withoutId = entry(AccessLogType.UpstreamPoolReady).build();
        assertThat(read(withoutId)).as("a start without an id").isEqualTo("MALFORMED");
        assertThat(AccessLogEntryDecoder.kind(withoutId)).isEqualTo(RecordKind.START);
    }

    @Test
    void an_ipv6_instance_is_written_in_brackets() {
        HTTPAccessLogEntry.Builder entry = end();
        entry.getCommonPropertiesBuilder().getUpstreamRemoteAddressBuilder().getSocketAddressBuilder()
                .setAddress("fd00:0:0:0:0:0:0:1");

        assertThat(read(entry)).isEqualTo("REQUEST");
        assertThat(report.instance()).isEqualTo("[fd00::1]:80");
    }

    @Test
    void many_instances_of_one_host_are_distinguished() {
        for (int port = 1; port <= 200; port++) {
            HTTPAccessLogEntry.Builder entry = end();
            entry.getCommonPropertiesBuilder().getUpstreamRemoteAddressBuilder().getSocketAddressBuilder()
                    .setPortValue(port);
            assertThat(read(entry)).isEqualTo("REQUEST");
            assertThat(report.instance()).isEqualTo("10.0.0.1:" + port);
        }
    }

    /** {@code REQUEST}, why it is none, or {@code IGNORED}. */
    private String read(HTTPAccessLogEntry entry) {
        if (reader.decode(entry, report)) {
            return "REQUEST";
        }
        RecordDropReason reason = reader.dropReason();
        return reason == null ? "IGNORED" : reason.name();
    }

    private String read(HTTPAccessLogEntry.Builder entry) {
        return read(entry.build());
    }

    private static HTTPAccessLogEntry.Builder start() {
        HTTPAccessLogEntry.Builder entry = entry(AccessLogType.UpstreamPoolReady);
        entry.getRequestBuilder().setRequestId("request-1");
        return entry;
    }

    private static HTTPAccessLogEntry.Builder end() {
        HTTPAccessLogEntry.Builder entry = entry(AccessLogType.DownstreamEnd);
        entry.getCommonPropertiesBuilder().setDuration(seconds(1));
        return entry;
    }

    @Test
    void the_status_of_a_grpc_call_is_0_to_16() {
        assertThat(grpc("0")).isZero();
        assertThat(grpc("8")).isEqualTo(8);
        assertThat(grpc("16")).isEqualTo(16);
        for (String nonsense : List.of("", "x", "17", "99", "1x", "-1", "014")) {
            assertThat(grpc(nonsense)).as(nonsense).isNegative();
        }
    }

    private int grpc(String status) {
        HTTPAccessLogEntry.Builder entry = end();
        entry.getResponseBuilder().putResponseHeaders("grpc-status", status);
        assertThat(read(entry)).isEqualTo("REQUEST");
        return report.grpcStatus();
    }

    @Test
    void the_end_of_an_attempt_is_distinguished_from_the_end_of_the_request() {
        HTTPAccessLogEntry.Builder entry = entry(AccessLogType.UpstreamEnd);
        entry.getCommonPropertiesBuilder().setDuration(seconds(3));
        entry.getRequestBuilder().setRequestId("request-1");
        entry.getResponseBuilder().setResponseCode(UInt32Value.of(503));

        assertThat(read(entry)).isEqualTo("REQUEST");
        assertThat(report.isAttempt()).isTrue();
        assertThat(report.atMicros()).isEqualTo(103_000_005);
        assertThat(report.latencyMicros()).isEqualTo(3_000_000);
        assertThat(report.status()).isEqualTo(503);
        entry.getCommonPropertiesBuilder().clearUpstreamRemoteAddress();
        assertThat(read(entry)).as("of an attempt for which there was no instance")
                .isEqualTo("IGNORED");
        assertThat(read(entry(AccessLogType.UpstreamEnd))).as("without an id").isEqualTo("IGNORED");
    }

    @Test
    void an_end_says_how_often_the_request_was_tried_and_whether_the_user_hung_up() {
        HTTPAccessLogEntry.Builder entry = end();
        entry.getCommonPropertiesBuilder().setUpstreamRequestAttemptCount(3)
                .setResponseFlags(flags().setDownstreamConnectionTermination(true));

        assertThat(read(entry)).isEqualTo("REQUEST");
        assertThat(report.attempts()).isEqualTo(3);
        assertThat(report.isCancelled()).isTrue();
        entry.getCommonPropertiesBuilder().setResponseFlags(flags().setDownstreamRemoteReset(true));
        assertThat(read(entry)).isEqualTo("REQUEST");
        assertThat(report.isCancelled()).isTrue();
        entry.getCommonPropertiesBuilder()
                .setResponseFlags(flags().setDownstreamRemoteReset(true).setUpstreamRequestTimeout(true));
        assertThat(read(entry)).isEqualTo("REQUEST");
        assertThat(report.isCancelled()).as("the instance had timed out before").isFalse();
    }

    @Test
    void a_websocket_that_its_server_closes_has_not_failed() {
        HTTPAccessLogEntry.Builder entry = end();
        entry.getCommonPropertiesBuilder().setResponseFlags(flags().setUpstreamConnectionTermination(true));
        entry.getResponseBuilder().setResponseCode(UInt32Value.of(101));

        assertThat(read(entry)).isEqualTo("REQUEST");

        assertThat(report.error()).isNull();
        entry.getResponseBuilder().setResponseCode(UInt32Value.of(200));
        assertThat(read(entry)).isEqualTo("REQUEST");
        assertThat(report.error()).as("of any other answer").isEqualTo(RequestError.RESET);
    }

    @Test
    void the_first_cause_of_a_failure_decides_its_class() {
        assertThat(classify(flags().setUpstreamRequestTimeout(true).setUpstreamRetryLimitExceeded(true)))
                .contains(RequestError.TIMEOUT);
        assertThat(classify(flags().setStreamIdleTimeout(true))).contains(RequestError.TIMEOUT);
        assertThat(classify(flags().setUpstreamConnectionFailure(true))).contains(RequestError.CONNECT);
        assertThat(classify(flags().setUpstreamRemoteReset(true))).contains(RequestError.RESET);
        assertThat(classify(flags().setUpstreamConnectionTermination(true))).contains(RequestError.RESET);
        assertThat(classify(flags().setUpstreamProtocolError(true))).contains(RequestError.RESET);
        assertThat(classify(flags().setUpstreamOverflow(true))).contains(RequestError.REFUSED_BY_PROXY);
        assertThat(classify(flags().setRateLimited(true))).contains(RequestError.REFUSED_BY_PROXY);
        assertThat(classify(flags().setUnauthorizedDetails(
                ResponseFlags.Unauthorized.newBuilder().setReason(ResponseFlags.Unauthorized.Reason.EXTERNAL_SERVICE))))
                .contains(RequestError.REFUSED_BY_PROXY);
        assertThat(classify(flags().setUpstreamRetryLimitExceeded(true))).isEmpty();
        assertThat(classify(flags())).isEmpty();
        assertThat(classify(flags().setDownstreamConnectionTermination(true))).isEmpty();
    }

    private static Optional<RequestError> classify(ResponseFlags.Builder flags) {
        return Optional.ofNullable(FailureClassifier.classify(flags.build()));
    }

    private static ResponseFlags.Builder flags() {
        return ResponseFlags.newBuilder();
    }

    private static Duration seconds(long seconds) {
        return Duration.newBuilder().setSeconds(seconds).build();
    }

    private static HTTPAccessLogEntry.Builder entry(AccessLogType type) {
        return HTTPAccessLogEntry.newBuilder().setCommonProperties(AccessLogCommon.newBuilder().setAccessLogType(type)
                .setStartTime(Timestamp.newBuilder().setSeconds(100).setNanos(5_000))
                .setUpstreamRemoteAddress(Address.newBuilder()
                        .setSocketAddress(SocketAddress.newBuilder().setAddress("10.0.0.1").setPortValue(80))));
    }
}
