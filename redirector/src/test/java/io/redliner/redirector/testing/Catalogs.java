// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.testing;

import io.redliner.redirector.discovery.DiscoveryManager.RoutedServicesListener;
import io.redliner.redirector.routing.RoutedServices;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps all catalogs that were handed on. */
public final class Catalogs implements RoutedServicesListener {

    private final List<RoutedServices> all = new CopyOnWriteArrayList<>();

    @Override
    public void replaced(RoutedServices catalog) {
        all.add(catalog);
    }

    /** In the order in which they came. */
    public List<RoutedServices> all() {
        return List.copyOf(all);
    }

    /** The addresses of a service in the newest catalog; none when it is not there. */
    public List<String> addresses(String service) {
        return all.isEmpty()
                ? List.of()
                : all.getLast().find(service).stream()
                        .flatMap(found -> found.instances().stream()).map(instance -> instance.address().toString())
                        .toList();
    }

    /** The names in the newest catalog. */
    public List<String> names() {
        return all.isEmpty() ? List.of() : List.copyOf(all.getLast().byName().keySet());
    }
}
