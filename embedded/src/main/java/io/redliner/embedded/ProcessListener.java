// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

/** Receives the changes of the processes that serve beside this one, each text as one line for users. Called on any thread. */
public interface ProcessListener {

    /** A process died, does not answer, or runs and answers again. */
    void changed(String text);

    /** A process that users cannot do without died, and is not started again. */
    void gaveUp(String text);
}
