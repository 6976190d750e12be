// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import static io.redliner.redirector.discovery.EndpointSliceExamples.endpoint;
import static io.redliner.redirector.discovery.EndpointSliceExamples.ofPod;
import static io.redliner.redirector.discovery.EndpointSliceExamples.ready;
import static io.redliner.redirector.discovery.EndpointSliceExamples.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.redliner.redirector.discovery.EndpointSource.Port;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EndpointSlicesTest {

    private static final Port HTTP = new Port.Named("http");

    private static List<String> addresses(Port port, EndpointSlice... slices) {
        return new EndpointSlices(List.of(slices), port).instances().stream()
                .map(instance -> instance.address().toString()).sorted().toList();
    }

    @Test
    void merges_slices_and_counts_an_endpoint_that_is_moving_once() {
        assertThat(addresses(HTTP, slice("a", ready("10.0.0.1"), ready("10.0.0.2")), slice("b", ready("10.0.0.2"))))
                .containsExactly("10.0.0.1:8080", "10.0.0.2:8080");
    }

    @Test
    void leaves_out_what_takes_no_traffic() {
        assertThat(addresses(HTTP, slice("a", ready("10.0.0.1"), endpoint("10.0.0.2", false, false),
                endpoint("10.0.0.3", true, true)))).containsExactly("10.0.0.1:8080");
    }

    @Test
    void takes_a_readiness_that_nobody_knows_for_ready() {
        var unknown = new EndpointBuilder().withAddresses("10.0.0.1").withNewConditions().endConditions().build();
        var unsaid = new EndpointBuilder().withAddresses("10.0.0.2").build();

        assertThat(addresses(HTTP, slice("a", unknown, unsaid))).containsExactly("10.0.0.1:8080", "10.0.0.2:8080");
    }

    @Test
    void reads_both_families_and_counts_a_pod_with_both_once() {
        assertThat(addresses(HTTP, slice("six", "IPv6", ofPod("fd00:0::1", "one"), ofPod("fd00:0::2", "two")),
                slice("four", ofPod("10.0.0.1", "one")), slice("name", "FQDN", ready("example.com"))))
                .containsExactly("10.0.0.1:8080", "[fd00::2]:8080");
    }

    @Test
    void an_instance_is_on_the_node_of_its_endpoint() {
        var slices = List.of(
                slice("a", onNode("10.0.0.1", "node-1"), onNode("10.0.0.2", "node-1"), ready("10.0.0.3")),
                slice("b", onNode("10.0.0.2", "node-2"), ready("10.0.0.1"), onNode("10.0.0.4", " ")),
                slice("c", onNode("10.0.0.2", "node-1")));

        assertThat(new EndpointSlices(slices, HTTP).instances()).containsExactlyInAnyOrder(
                new Instance(new HostPort("10.0.0.1", 8080), 1, Optional.of("node-1")),
                // It is moving.
                new Instance(new HostPort("10.0.0.2", 8080), 1), new Instance(new HostPort("10.0.0.3", 8080), 1),
                new Instance(new HostPort("10.0.0.4", 8080), 1));
    }

    private static Endpoint onNode(String address, String node) {
        return new EndpointBuilder(ready(address)).withNodeName(node).build();
    }

    @Test
    void finds_the_port_by_number() {
        assertThat(addresses(new Port.Numbered(8080), slice("a", ready("10.0.0.1")))).containsExactly("10.0.0.1:8080");
    }

    @Test
    void takes_any_number_where_the_service_names_no_ports() {
        EndpointSlice headless = new EndpointSliceBuilder(slice("a", ready("10.0.0.1"))).withPorts().build();

        assertThat(addresses(new Port.Numbered(9000), headless)).containsExactly("10.0.0.1:9000");
    }

    @Test
    void says_that_a_port_is_missing_instead_of_an_empty_fleet() {
        for (Port port : List.of(new Port.Named("grpc"), new Port.Numbered(80))) {
            EndpointSlices slices = new EndpointSlices(List.of(slice("a", ready("10.0.0.1"))), port);

            assertThat(slices.instances()).isEmpty();
            assertThat(slices.missingPort().orElseThrow()).contains("no port " + port).contains("http=8080");
        }
        assertThat(new EndpointSlices(List.of(slice("a", ready("10.0.0.1"))), HTTP).missingPort()).isEmpty();
        assertThat(new EndpointSlices(List.of(), HTTP).missingPort()).isEmpty();
    }
}
