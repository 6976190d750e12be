// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import static io.redliner.redirector.discovery.Examples.DNS;
import static io.redliner.redirector.discovery.Examples.instances;
import static io.redliner.redirector.discovery.Examples.definitions;
import static io.redliner.redirector.discovery.Examples.listed;
import static io.redliner.redirector.discovery.Examples.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.redirector.discovery.DiscoveryManager.RoutedServicesListener;
import io.redliner.redirector.routing.RoutedServices;
import io.redliner.redirector.testing.Catalogs;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DiscoveryManagerTest {

    private final Catalogs catalogs = new Catalogs();

    private final ByHand byHand = new ByHand();

    private DiscoveryManager manager = manager(catalogs);

    private DiscoveryManager manager(RoutedServicesListener intake) {
        return new DiscoveryManager(definitions(service("cart", listed("10.0.0.1:80", "10.0.0.2:80")),
                service("search", DNS)), intake, List.of(byHand));
    }

    /** A source whose answers the test gives. */
    static final class ByHand implements EndpointDiscovery<EndpointSource.Dns> {

        private final List<EndpointDiscovery.Listener> listeners = new CopyOnWriteArrayList<>();

        private final AtomicInteger closed = new AtomicInteger();

        @Override
        public Class<EndpointSource.Dns> kind() {
            return EndpointSource.Dns.class;
        }

        @Override
        public Watch watch(EndpointSource.Dns source, EndpointDiscovery.Listener listener) {
            listeners.add(listener);
            return closed::incrementAndGet;
        }

        EndpointDiscovery.Listener last() {
            await().until(() -> !listeners.isEmpty());
            return listeners.getLast();
        }
    }

    @AfterEach
    void close() {
        manager.close();
    }

    @Test
    void hands_on_each_catalog_that_differs_and_no_other() {
        // given
        manager.begin();

        // when
        byHand.last().found(instances("10.0.0.8:80", "10.0.0.9:80"));
        byHand.last().found(instances("10.0.0.9:80", "10.0.0.8:80"));
        byHand.last().failed("away");
        byHand.last().found(instances("10.0.0.9:80"));

        // then
        await().untilAsserted(() -> assertThat(catalogs.addresses("search")).containsExactly("10.0.0.9:80"));
        assertThat(catalogs.all()).hasSize(2);
        assertThat(catalogs.all().getFirst().find("search").orElseThrow().instances()).hasSize(2);
    }

    @Test
    void is_not_well_until_every_fleet_is_known() {
        // given
        manager.begin();
        assertThat(manager.problems()).containsOnlyKeys("search");

        // when
        byHand.last().found(instances("10.0.0.8:80"));

        // then
        await().untilAsserted(() -> assertThat(manager.problems()).isEmpty());
    }

    @Test
    void ends_the_watch_of_a_service_that_was_taken_out() {
        // given
        manager.begin();
        byHand.last().found(instances("10.0.0.8:80"));

        // when
        manager.defined(definitions(service("cart", listed("10.0.0.1:80", "10.0.0.3:80"))));

        // then
        await().untilAsserted(() -> assertThat(catalogs.names()).containsExactly("cart"));
        assertThat(catalogs.addresses("cart")).containsExactly("10.0.0.1:80", "10.0.0.3:80");
        assertThat(byHand.closed).hasValue(1);
    }

    @Test
    void keeps_the_watch_when_something_else_of_the_service_changes() {
        // given
        manager.begin();
        byHand.last().found(instances("10.0.0.8:80"));

        // when
        manager.defined(definitions(service("search", "edge", DNS)));

        // then
        await().untilAsserted(() -> assertThat(catalogs.names()).containsExactly("search"));
        assertThat(byHand.listeners).hasSize(1);
        assertThat(byHand.closed).hasValue(0);
    }

    @Test
    void tries_again_to_hand_on_what_was_not_taken_and_says_so() {
        // given
        var refusals = new AtomicInteger(1);
        manager = manager((RoutedServices catalog) -> {
            if (refusals.getAndDecrement() > 0) {
                throw new IllegalStateException("not now");
            }
            catalogs.replaced(catalog);
        });
        manager.begin();

        // when
        byHand.last().found(instances("10.0.0.8:80"));

        // then
        await().untilAsserted(() -> assertThat(manager.problems().get("service directory")).contains("not now"));
        await().untilAsserted(() -> assertThat(catalogs.addresses("search")).containsExactly("10.0.0.8:80"));
        await().untilAsserted(() -> assertThat(manager.problems()).isEmpty());
    }

    @Test
    void ends_all_watches_when_it_ends() {
        // given
        manager.begin();
        byHand.last();

        // when
        manager.close();

        // then
        assertThat(byHand.closed).hasValue(1);
    }
}
