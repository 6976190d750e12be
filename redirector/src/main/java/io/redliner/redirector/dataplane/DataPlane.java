// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.routing.Service;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where arrangements go: the proxies. Nothing leaves before {@link #send}. */
public interface DataPlane {

    /**
     * Tells every proxy of the service, connected now or later, to do this; what has not changed is not sent again. A
     * share goes only to streams that were admitted to it. A share whose expiry moved is renewed.
     *
     * @param arrangements new ones; services that are not among them stay as they are
     * @return by service name, the version of each resource that has to be acknowledged; versions are made from content,
     *         so the same arrangement has the same versions in every process
     */
    Map<String, Map<ResourceKey, String>> apply(List<DesiredRouting> arrangements);

    /** The service is no more. */
    void withdraw(Service service);

    /** Groups of proxies that are told nothing for now: what is right for them is not known. */
    void suspend(Set<String> groups);

    /** The proxy has everything that the service's share needs, and may get it. */
    void admit(StreamId shares, String service);

    /** Lets everything out, and answers streams that wait for a first word. */
    void send();
}
