// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

/** Where changed definitions come in. Called from any thread. */
public interface ServiceDefinitionsListener {

    /** From now on these are the services. */
    void defined(ServiceDefinitions definitions);

    /** The newest definitions cannot be used; the message says where and what to do. */
    void undefinable(String reason);
}
