// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.dataplane.ProxyStream.Refusal;
import io.redliner.redirector.dataplane.ProxyStream.RefusedResource;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A proxy refuses a whole response for one resource in it: which service's proxy has refused something. */
class ProxyTest {

    private static final String BIND = "Error adding/updating listener(s) shop: cannot bind '127.0.0.1:80': Address already in use";

    private final ProxyStream stream = new ProxyStream("p", "g", new ProxySoftware("Envoy", Set.of()),
            StreamKind.CONFIGURATION, Instant.EPOCH);

    private static ResourceKey key(String type, String name) {
        return new ResourceKey(StreamKind.CONFIGURATION, type, name);
    }

    private Proxy of(String service) {
        return new Proxy("p", service, List.of(stream), OptionalDouble.empty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"shop | " + BIND + " | true", "cart | " + BIND + " | false",
        "sho | " + BIND + " | false", "shop-2 | " + BIND + " | false",
        "cart | Error adding/updating listener(s) shop-2: a, cart: b | true",
        "shop | Duplicate entry of domain * in route shop | true",
        "shop | Proto constraint validation failed | true", "cart | Proto constraint validation failed | true"})
    void a_refusal_concerns_the_service_that_the_proxys_words_name_or_all_of_the_response(String service, String words,
            boolean concerned) {
        stream.refuse("LISTENER", new Refusal(Map.of(key("LISTENER", "shop"), "1", key("LISTENER", "cart"), "1",
                key("LISTENER", "sho"), "1", key("LISTENER", "shop-2"), "1"), words));

        assertThat(of(service).refused(Map.of()).isPresent()).isEqualTo(concerned);
    }

    @Test
    void a_cluster_of_a_test_belongs_to_the_service_that_waits_for_it() {
        ResourceKey cluster = key("CLUSTER", "shop/sut/a:1");
        stream.refuse("CLUSTER", new Refusal(Map.of(cluster, "2", key("CLUSTER", "cart"), "1"),
                "Error adding/updating cluster(s) shop/sut/a:1: no"));

        assertThat(of("shop").refused(Map.of(cluster, "2"))).contains(
                new RefusedResource(cluster, "Error adding/updating cluster(s) shop/sut/a:1: no"));
        assertThat(of("cart").refused(Map.of(key("CLUSTER", "cart"), "1"))).isEmpty();
    }

    @Test
    void what_the_proxy_has_already_or_takes_later_is_not_refused() {
        ResourceKey listener = key("LISTENER", "shop");
        stream.acknowledge("LISTENER", Map.of(listener, "1"));
        stream.refuse("LISTENER", new Refusal(Map.of(listener, "1", key("LISTENER", "cart"), "1"), "no"));

        assertThat(of("shop").refused(Map.of())).isEmpty();
        assertThat(of("cart").refused(Map.of())).isPresent();

        stream.acknowledge("LISTENER", Map.of(listener, "1", key("LISTENER", "cart"), "1"));
        assertThat(of("cart").refused(Map.of())).isEmpty();
    }
}
