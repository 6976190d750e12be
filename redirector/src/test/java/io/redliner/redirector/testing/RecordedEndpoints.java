// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.testing;

import io.redliner.redirector.discovery.EndpointDiscovery;
import io.redliner.redirector.routing.Instance;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what a source said: the addresses in order, or the reason behind an exclamation mark. */
public final class RecordedEndpoints implements EndpointDiscovery.Listener {

    private final List<List<String>> all = new CopyOnWriteArrayList<>();

    @Override
    public void found(Collection<Instance> instances) {
        all.add(instances.stream().map(instance -> instance.address().toString()).sorted().toList());
    }

    @Override
    public void failed(String reason) {
        all.add(List.of("!" + reason));
    }

    /** In the order in which it came. */
    public List<List<String>> all() {
        return List.copyOf(all);
    }

    /** What was said last. */
    public List<String> last() {
        return all.isEmpty() ? List.of("nothing yet") : all.getLast();
    }
}
