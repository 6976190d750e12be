// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;

/** Endpoint slices for tests. */
final class EndpointSliceExamples {

    private EndpointSliceExamples() {}

    /** Of the service cart in the namespace shop, with the port http=8080. */
    static EndpointSlice slice(String name, Endpoint... endpoints) {
        return slice(name, "IPv4", endpoints);
    }

    static EndpointSlice slice(String name, String family, Endpoint... endpoints) {
        return new EndpointSliceBuilder()
                .withNewMetadata().withName(name).withNamespace("shop")
                .addToLabels("kubernetes.io/service-name", "cart").endMetadata()
                .withAddressType(family)
                .addNewPort().withName("http").withPort(8080).withProtocol("TCP").endPort()
                .withEndpoints(endpoints)
                .build();
    }

    static Endpoint ready(String address) {
        return endpoint(address, true, false);
    }

    static Endpoint endpoint(String address, boolean ready, boolean terminating) {
        return new EndpointBuilder().withAddresses(address)
                .withNewConditions().withReady(ready).withTerminating(terminating).endConditions().build();
    }

    static Endpoint ofPod(String address, String pod) {
        return new EndpointBuilder().withAddresses(address).withNewTargetRef().withUid(pod).endTargetRef().build();
    }
}
