// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.directory;

/** Where changed definitions come in. Called from any thread. */
public interface DefinitionsIntake {

    /** From now on these are the services. */
    void defined(Definitions definitions);

    /** The newest definitions cannot be used; the message says where and what to do. */
    void undefinable(String reason);
}
