// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

/** A PostgreSQL database, on a server of its own or on one that tests share, on the loopback interface. */
public interface TestDatabase extends AutoCloseable {

    /** Address of the database, with the user in it. */
    String jdbcUrl();

    /** Returns the database's name on its server. */
    default String name() {
        return "postgres";
    }

    /**
     * Ends all connections to a database of the shared server and refuses new ones, as if its server were away.
     *
     * @throws UnsupportedOperationException on a server of its own, which can be closed
     */
    default void refuseConnections() {
        throw new UnsupportedOperationException("close the server instead");
    }

    /** Accepts connections again. */
    default void acceptConnections() {
        throw new UnsupportedOperationException("start the server again instead");
    }

    /** Stops the server, or drops the database of a shared one. Data in a folder that the caller named stays. */
    @Override
    void close();
}
