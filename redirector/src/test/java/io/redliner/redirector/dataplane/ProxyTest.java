// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.dataplane.ProxyEventHandler.Refusal;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.Proxy.RefusedResource;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A proxy refuses a whole response for one resource in it: which service's proxy has refused something. */
class ProxyTest {

    private static final String BIND = "Error adding/updating listener(s) shop: cannot bind '127.0.0.1:80': Address already in use";

    private static final StreamId STREAM = new StreamId(StreamKind.CONFIGURATION, 1);

    private final Proxy proxy = new Proxy("p", "g", service -> OptionalDouble.empty());

    @BeforeEach
    void open() {
        proxy.open(STREAM, new ProxySoftware("Envoy", Set.of()), Instant.EPOCH);
    }

    private static ResourceKey key(String type, String name) {
        return new ResourceKey(StreamKind.CONFIGURATION, type, name);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"shop | " + BIND + " | true", "cart | " + BIND + " | false",
        "sho | " + BIND + " | false", "shop-2 | " + BIND + " | false",
        "cart | Error adding/updating listener(s) shop-2: a, cart: b | true",
        "in | " + BIND + " | false",
        "shop | Duplicate entry of domain * in route shop | true",
        "shop | Proto constraint validation failed | true", "cart | Proto constraint validation failed | true"})
    void a_refusal_concerns_the_service_that_the_proxys_words_name_or_all_of_the_response(String service, String words,
            boolean concerned) {
        proxy.refuse(STREAM, "LISTENER", new Refusal(Map.of(key("LISTENER", "shop"), "1", key("LISTENER", "cart"), "1",
                key("LISTENER", "sho"), "1", key("LISTENER", "shop-2"), "1", key("LISTENER", "in"), "1"), words));

        assertThat(proxy.refused(service, Map.of()).isPresent()).isEqualTo(concerned);
    }

    @Test
    void a_cluster_of_a_test_belongs_to_the_service_that_waits_for_it() {
        ResourceKey cluster = key("CLUSTER", "shop/sut/a:1");
        proxy.refuse(STREAM, "CLUSTER", new Refusal(Map.of(cluster, "2", key("CLUSTER", "cart"), "1"),
                "Error adding/updating cluster(s) shop/sut/a:1: no"));

        assertThat(proxy.refused("shop", Map.of(cluster, "2"))).contains(
                new RefusedResource(cluster, "Error adding/updating cluster(s) shop/sut/a:1: no"));
        assertThat(proxy.refused("cart", Map.of(key("CLUSTER", "cart"), "1"))).isEmpty();
    }

    @Test
    void what_the_proxy_has_already_or_takes_later_is_not_refused() {
        ResourceKey listener = key("LISTENER", "shop");
        proxy.acknowledge(STREAM, "LISTENER", Map.of(listener, "1"));
        proxy.refuse(STREAM, "LISTENER", new Refusal(Map.of(listener, "1", key("LISTENER", "cart"), "1"), "no"));

        assertThat(proxy.refused("shop", Map.of())).isEmpty();
        assertThat(proxy.refused("cart", Map.of())).isPresent();

        proxy.acknowledge(STREAM, "LISTENER", Map.of(listener, "1", key("LISTENER", "cart"), "1"));
        assertThat(proxy.refused("cart", Map.of())).isEmpty();
    }
}
