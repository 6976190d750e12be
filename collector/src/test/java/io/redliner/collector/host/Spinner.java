// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that listens on a port, holds some memory and spins for a part of the time, for two minutes at most. It ends
 * with its standard input, and tells its port, and at each line that it is sent the CPU time of the spinning thread.
 */
final class Spinner {

    private static final long LIFE = 120_000_000_000L;

    private static final long TURN = 20_000_000;

    private static volatile long spun;

    private Spinner() {}

    /** The part in percent, and the memory in MiB. */
    public static void main(String[] arguments) throws Exception {
        int percent = Integer.parseInt(arguments[0]);
        byte[][] held = new byte[Integer.parseInt(arguments[1])][1 << 20];
        for (byte[] page : held) {
            for (int at = 0; at < page.length; at += 4_096) {
                page[at] = 1;
            }
        }
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().name("spins").start(() -> spin(percent));
            System.out.println(socket.getLocalPort());
            while (System.in.read() == '\n') {
                System.out.println(spun);
            }
        }
        System.exit(held.length == 0 ? 1 : 0);
    }

    private static void spin(int percent) {
        var threads = ManagementFactory.getThreadMXBean();
        long begin = System.nanoTime();
        for (long turn = 1; System.nanoTime() - begin < LIFE; turn++) {
            long end = begin + turn * TURN;
            while (System.nanoTime() < end - TURN + TURN * percent / 100) {
                Thread.onSpinWait();
            }
            spun = threads.getCurrentThreadCpuTime();
            while (System.nanoTime() < end) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
        }
    }
}
