// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps the failure at one service from stopping the work for the others. Confined to one thread. */
final class ServiceFailures {

    private final Consumer<String> retry;

    private @Nullable RuntimeException first;

    /** @param retry takes the name of each service at which something failed */
    ServiceFailures(Consumer<String> retry) {
        this.retry = retry;
    }

    /** Does the work for each service, and returns the services at which it failed. */
    List<ServiceRoutingState> forEach(List<ServiceRoutingState> services, Consumer<ServiceRoutingState> work) {
        List<ServiceRoutingState> failed = new ArrayList<>();
        for (ServiceRoutingState routing : services) {
            try {
                work.accept(routing);
            } catch (RuntimeException broken) {
                add(routing, broken);
                failed.add(routing);
                retry.accept(routing.service().name());
            }
        }
        return failed;
    }

    private void add(ServiceRoutingState routing, RuntimeException broken) {
        if (first == null) {
            first = new IllegalStateException("service " + routing.service().name() + ": " + broken, broken);
        } else {
            first.addSuppressed(broken);
        }
    }

    /** Throws the first failure since the last call, with the others suppressed in it. */
    void rethrow() {
        RuntimeException failure = first;
        first = null;
        if (failure != null) {
            throw failure;
        }
    }
}
