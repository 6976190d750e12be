// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.slo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PromQlReaderTest {

    @ParameterizedTest
    @CsvSource(delimiter = '@', quoteCharacter = '`', value = {
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{job=\"shop\"}[5m]))) > 0.4 @ latency.p99 <= duration('400ms')",
        "histogram_quantile(0.990, sum(rate(http_server_requests_seconds_bucket[5m])) by (le, job)) >= 1.5 @ latency.p99 < duration('1s500ms')",
        "(histogram_quantile(0.5, rate(grpc_server_handling_seconds_bucket[1m]))) > 0.0005 @ latency.p50 <= duration('500us')",
        "histogram_quantile(0.95, sum by (le) (rate(istio_request_duration_milliseconds_bucket{destination_workload=\"shop\"}[5m]))) > 250 @ latency.p95 <= duration('250ms')",
        "histogram_quantile(0.999, sum by (le) (rate(envoy_cluster_upstream_rq_time_bucket{envoy_cluster_name=\"shop\"}[5m]))) > 2e3 @ latency.p999 <= duration('2s')",
        "histogram_quantile(.9, sum(rate(http_request_duration_seconds[5m]))) > 1 @ latency.p90 <= duration('1s')",
        "sum(rate(http_requests_total{job=\"a\",code=~\"5..\"}[5m])) / sum(rate(http_requests_total{job=\"a\"}[5m])) > 0.01 @ error_rate <= 0.01",
        "100 * sum(rate(http_requests_total{status=~\"5.*\"}[5m])) / sum(rate(http_requests_total[5m])) > 0.5 @ error_rate <= 0.005",
        "sum(rate(http_requests_total{status=~\"5xx\"}[5m])) / sum(rate(http_requests_total[5m])) * 100 >= 2 @ error_rate < 0.02",
        "sum(rate(http_requests_total{code!~\"5..\"}[5m])) / sum(rate(http_requests_total[5m])) < 0.999 @ error_rate <= 0.001",
        "1 - (sum(rate(http_requests_total{code!~\"5..\"}[5m])) / sum(rate(http_requests_total[5m]))) > 0.03 @ error_rate <= 0.03",
        "sum by (job) (increase(http_server_requests_seconds_count{outcome=\"SERVER_ERROR\"}[1h])) / sum by (job) (increase(http_server_requests_seconds_count[1h])) > 0.001 @ error_rate <= 0.001",
        "sum(rate(http_request_duration_seconds_bucket{le=\"0.3\"}[5m])) / sum(rate(http_request_duration_seconds_count[5m])) < 0.95 @ latency.p95 <= duration('300ms')",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{namespace=\"eu\",app=~\"cart.*\",pod=~\"a|b\"}[5m]))) > 1 @ latency.p99 <= duration('1s')",
        "sum(rate(http_requests_total{code=~\"5..\"}[5m])) / sum(rate(http_requests_total[5m])) >= 1 @ error_rate < 1",
        "sum(rate(http_request_duration_seconds_bucket{le=\"0.3\"}[5m])) / sum(rate(http_request_duration_seconds_bucket{le=\"+Inf\"}[5m])) < 0.99 @ latency.p99 <= duration('300ms')"})
    void an_alert_on_a_figure_of_redliner_is_a_rule(String alert, String rule) throws Exception {
        assertThat(PromQlReader.silent(alert)).isEqualTo(rule);
    }

    @ParameterizedTest
    @CsvSource({"'a{job=\"cart\",namespace=\"eu\"}', cart", "'a{job=\"pods\",app=~\"cart\"}', cart",
        "'a{job!=\"cart\"}', ''",
        "'a{job=~\".+\",zone=\"b\"}', ''", "a, ''"})
    void the_label_that_names_the_service_most_certainly_names_it(String query, String service) {
        assertThat(PromQlReader.service(query)).isEqualTo(service);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '@', quoteCharacter = '`', value = {
        "up == 0 @ compares with ==", "up @ no single comparison", "up < 1 @ form that is not understood",
        "histogram_quantile(0.98, sum by (le) (rate(http_request_duration_seconds_bucket[5m]))) > 0.4 @ about the part 0.98",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_bucket[5m]))) > 0.4 @ whose name has no unit",
        "histogram_quantile(0.99, sum by (le) (rate(etcd_disk_wal_fsync_duration_seconds_bucket[5m]))) > 0.4 @ not certain that it is of the requests",
        "histogram_quantile(0.99, sum by (le) (rate(http_client_requests_seconds_bucket[5m]))) > 0.4 @ not certain that it is of the requests",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{handler=\"/pay\"}[5m]))) > 0.4 @ about the requests with a certain handler",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{code!~\"5..\"}[5m]))) > 0.4 @ about the requests with a certain code",
        "histogram_quantile(0.99, sum by (le) (http_request_duration_seconds_bucket)) > 0.4 @ not over the rate of one metric",
        "histogram_quantile(0.99, avg by (le) (rate(http_request_duration_seconds_bucket[5m]))) > 0.4 @ not over the rate",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket[5m]))) < 0.4 @ asks for requests that are slow enough",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket[5m]))) > scalar(limit) @ which is no number",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket[5m]))) > 0.4 and on () up == 1 @ no single comparison",
        "sum(rate(http_requests_total{code=~\"5..\"}[5m])) / sum(rate(http_requests_total[1h])) > 0.01 @ divides two things",
        "sum(rate(http_requests_total{code=~\"5..\"}[5m])) / sum(rate(other_requests_total[5m])) > 0.01 @ divides two things",
        "sum(rate(http_requests_total{code=~\"5..\",job=\"a\"}[5m])) / sum(rate(http_requests_total[5m])) > 0.01 @ divides two things",
        "sum(rate(http_requests_total{code=~\"4..\"}[5m])) / sum(rate(http_requests_total[5m])) > 0.01 @ with a certain code",
        "sum(rate(http_requests_total{code=~\"5..\"}[5m])) * 100 / sum(rate(http_requests_total[5m])) > 0.5 @ ",
        "sum(rate(http_requests_total{code=~\"5..\"}[5m])) / sum(rate(http_requests_total[5m])) > 1 @ which no part of the requests can break",
        "sum(rate(http_requests_total{code=~\"5..\"}[5m])) / sum(rate(http_requests_total[5m])) < 0.01 @ fail often enough",
        "sum(rate(http_request_duration_seconds_bucket{le=\"0.3\"}[5m])) / sum(rate(http_request_duration_seconds_count[5m])) < 0.97 @ about the part 0.97",
        "sum(rate(envoy_cluster_upstream_rq{envoy_virtual_cluster=\"checkout\",envoy_response_code_class=\"5\"}[5m])) / sum(rate(envoy_cluster_upstream_rq{envoy_virtual_cluster=\"checkout\"}[5m])) > 0.02 @ with a certain envoy_virtual_cluster",
        "histogram_quantile(0.99, sum by (le) (rate(envoy_cluster_upstream_rq_time_bucket{envoy_response_code_class=\"2\"}[5m]))) > 400 @ with a certain envoy_response_code_class",
        "histogram_quantile(0.99, sum by (le) (rate(grpc_server_handling_seconds_bucket{service_method=\"Pay\"}[5m]))) > 3 @ with a certain service_method",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{app_route=\"/export\"}[5m]))) > 30 @ with a certain app_route",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{name=\"pay\"}[5m]))) > 30 @ with a certain name",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{cluster_user=\"gold\"}[5m]))) > 30 @ with a certain cluster_user",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{destination_port=\"80\"}[5m]))) > 30 @ with a certain destination_port",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{job!=\"cart\"}[5m]))) > 1 @ about all but some by the label job",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{job!~\"cart|pay\"}[5m]))) > 1 @ about all but some by the label job",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{job=~\"[^c].*\"}[5m]))) > 1 @ about all but some by the label job",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{job=~\"\\\\D+\"}[5m]))) > 1 @ about all but some by the label job",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{app=\"\"}[5m]))) > 1 @ about all but some by the label app",
        "histogram_quantile(0.99, sum by (le) (rate(http_outgoing_request_duration_seconds_bucket{job=\"cart\"}[5m]))) > 1 @ not certain that it is of the requests",
        "histogram_quantile(0.99, sum by (le) (rate(http_outbound_request_duration_seconds_bucket{job=\"cart\"}[5m]))) > 1 @ not certain that it is of the requests",
        "histogram_quantile(0.99, sum by (le) (rate(egress_request_duration_seconds_bucket{job=\"cart\"}[5m]))) > 1 @ not certain that it is of the requests",
        "histogram_quantile(0.99, sum by (le) (rate(downstream_request_duration_seconds_bucket{job=\"cart\"}[5m]))) > 1 @ not certain that it is of the requests",
        "histogram_quantile(0.99, sum by (le) (rate(prometheus_http_request_duration_seconds_bucket{job=\"cart\"}[5m]))) > 1 @ not certain that it is of the requests",
        "histogram_quantile(0.99, sum by (le) (rate(rpc_client_request_duration_seconds_bucket{job=\"cart\"}[5m]))) > 1 @ not certain that it is of the requests",
        "sum(rate(http_requests_total{code=~\"5..\"}[5m])) / sum(rate(http_requests_total[5m])) >= 0 @ which no part of the requests can keep",
        "sum(rate(http_requests_total{code!~\"5..\"}[5m])) / sum(rate(http_requests_total[5m])) <= 1 @ which no part of the requests can keep",
        "sum(rate(http_requests_total{code!~\"5..\"}[5m])) / sum(rate(http_requests_total[5m])) < 0 @ which no part of the requests can break",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket[5m]))) > 0 @ microseconds above 0",
        "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket[5m]))) > 86400 @ which each window keeps",
        "( @ no single comparison", "histogram_quantile(0.99, > 1 @ no single comparison",
        "\"a @ no single comparison"})
    void another_alert_is_refused_with_the_reason(String alert, String reason) {
        assertThatThrownBy(() -> PromQlReader.silent(alert)).isInstanceOf(NotJudgedException.class)
                .hasMessageContaining(reason == null ? "" : reason);
    }
}
