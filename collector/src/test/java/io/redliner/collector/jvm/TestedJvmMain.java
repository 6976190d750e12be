// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** The main class of JVMs that tests look at. It says on which port it listens, and ends with its standard input. */
final class TestedJvmMain {

    private static final long MILLISECOND = 1_000_000;

    private static volatile Object sink = new Object();

    private TestedJvmMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (ServerSocket socket = new ServerSocket(Integer.parseInt(arguments[1]), 1,
                InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> act(arguments));
            System.out.println(socket.getLocalPort());
            while (System.in.read() >= 0) {
                // Until the test closes the pipe.
            }
        }
        System.exit(0);
    }

    private static void act(String[] arguments) {
        switch (arguments[0]) {
            case "collects" -> collect(Long.parseLong(arguments[2]), Integer.parseInt(arguments[3]));
            case "contends" -> contend(Integer.parseInt(arguments[2]));
            case "dumps" -> dump();
            case "allocates" -> allocate(Integer.parseInt(arguments[2]));
            default -> {
                // It rests.
            }
        }
    }

    /** Forces a full collection of a heap with so many objects, again and again. */
    private static void collect(long restMillis, int objects) {
        List<Object> heap = new ArrayList<>();
        for (int number = 0; number < objects; number++) {
            heap.add(new Object[2]);
        }
        while (!heap.equals(sink)) {
            System.gc();
            LockSupport.parkNanos(restMillis * MILLISECOND);
        }
    }

    /** One thread keeps a lock, and others wait for it. */
    private static void contend(int waiting) {
        Lock lock = new Lock();
        CountDownLatch locked = new CountDownLatch(1);
        Thread.ofPlatform().daemon().start(() -> keep(lock, locked));
        try {
            locked.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        for (int number = 0; number < waiting; number++) {
            Thread.ofPlatform().daemon().start(() -> {
                synchronized (lock) {
                    System.out.println("never");
                }
            });
        }
    }

    private static void keep(Lock lock, CountDownLatch locked) {
        synchronized (lock) {
            locked.countDown();
            while (true) {
                LockSupport.park();
            }
        }
    }

    /** Each look at all stacks stops all threads, for a moment. */
    private static void dump() {
        while (true) {
            sink = Thread.getAllStackTraces();
        }
    }

    private static void allocate(int bytesPerMillisecond) {
        long begin = System.nanoTime();
        long done = 0;
        while (true) {
            long due = (System.nanoTime() - begin) / MILLISECOND;
            for (; done < due; done++) {
                sink = new byte[bytesPerMillisecond];
            }
            LockSupport.parkNanos(MILLISECOND);
        }
    }

    /** What the threads contend for. */
    static final class Lock {}
}
