// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/**
 * Identifies the instance that a measurement belongs to.
 *
 * @param service name of the service, not empty
 * @param instance {@code host:port} as proxies report it, not empty
 */
public record InstanceId(String service, String instance) {

    public InstanceId {
        if (service.isEmpty() || instance.isEmpty()) {
            throw new IllegalArgumentException("a measurement needs a service and an instance: '" + service + "', '"
                    + instance + "'");
        }
    }

    @Override
    public String toString() {
        return instance + " of " + service;
    }
}
