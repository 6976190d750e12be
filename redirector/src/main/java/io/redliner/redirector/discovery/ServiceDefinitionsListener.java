// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

/** Receives changed definitions. Called from any thread. */
public interface ServiceDefinitionsListener {

    /** The definitions are these from now on. */
    void defined(ServiceDefinitions definitions);

    /** The newest definitions cannot be used; the message says where and what to do. */
    void undefinable(String reason);
}
