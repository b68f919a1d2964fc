"use components";
export function instantiate(getCoreModule, imports, instantiateCore = (module, importObject) => new WebAssembly.Instance(module, importObject)) {
  
  const emptyFunc = () => {};
  
  let dv = new DataView(new ArrayBuffer());
  const dataView = mem => dv.buffer === mem.buffer ? dv : dv = new DataView(mem.buffer);
  
  function toUint64(val) {
    const converted = BigInt(val)
    
    return BigInt.asUintN(64, converted);
  }
  
  
  function toUint16(val) {
    
    val >>>= 0;
    val %= 2 ** 16;
    return val;
  }
  
  
  function toUint32(val) {
    
    return val >>> 0;
  }
  
  
  function toUint8(val) {
    
    val >>>= 0;
    val %= 2 ** 8;
    return val;
  }
  
  
  function _isValidNumericPrimitive(ty, v) {
    if (v === undefined || v === null) { return false; }
    switch (ty) {
      case 'bool':
      return v === 0 || v === 1;
      break;
      case 'u8':
      return typeof v === 'number' && Number.isInteger(v) && v >= 0 && v <= 255;
      break;
      case 's8':
      return typeof v === 'number' && Number.isInteger(v) && v >= -128 && v <= 127;
      break;
      case 'u16':
      return typeof v === 'number' && Number.isInteger(v) && v >= 0 && v <= 65535;
      break;
      case 's16':
      return typeof v === 'number' && Number.isInteger(v) && v >= -32768 && v <= 32767;
      case 'u32':
      return typeof v === 'number' && Number.isInteger(v) && v >= 0 && v <= 4_294_967_295;
      case 's32':
      return typeof v === 'number' && Number.isInteger(v) && v >= -2_147_483_648 && v <= 2_147_483_647;
      case 'u64':
      return typeof v === 'bigint' && v >= 0 && v <= 18_446_744_073_709_551_615n;
      case 's64':
      return typeof v === 'bigint' && v >= -9223372036854775808n && v <= 9223372036854775807n;
      break;
      case 'f32':
      case 'f64': return typeof v === 'number';
      default:
      return false;
    }
    return true;
  }
  
  function _requireValidNumericPrimitive(ty, v) {
    if (v === undefined  || v === null || !_isValidNumericPrimitive(ty, v)) {
      throw new TypeError(`invalid ${ty} value [${v}]`);
    }
    return true;
  }
  const utf16Decoder = new TextDecoder('utf-16');
  
  const isLE = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
  
  function _utf16AllocateAndEncode(str, realloc, memory) {
    const len = str.length;
    const ptr = realloc(0, 0, 2, len * 2);
    const out = new Uint16Array(memory.buffer, ptr, len);
    let i = 0;
    if (isLE) {
      while (i < len) { out[i] = str.charCodeAt(i++); }
    } else {
      while (i < len) {
        const ch = str.charCodeAt(i);
        out[i++] = (ch & 0xff) << 8 | ch >>> 8;
      }
    }
    return { ptr, len, codepoints: [...str].length };
  }
  
  const TEXT_DECODER_UTF8 = new TextDecoder();
  const TEXT_ENCODER_UTF8 = new TextEncoder();
  
  function _utf8AllocateAndEncode(s, realloc, memory) {
    if (typeof s !== 'string') {
      throw new TypeError('expected a string, received [' + typeof s + ']');
    }
    if (s.length === 0) { return { ptr: 1, len: 0 }; }
    // Compute the exact allocation size up front. Some older preview1
    // adapters only support an initial allocation, not a subsequent shrink.
    let len = 0;
    let codepoints = 0;
    for (let i = 0; i < s.length; i++) {
      const ch = s.charCodeAt(i);
      codepoints++;
      if (ch < 0x80) { len += 1; }
      else if (ch < 0x800) { len += 2; }
      else if (ch >= 0xd800 && ch <= 0xdbff &&
      i + 1 < s.length &&
      (s.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
        len += 4;
        i++;
      } else { len += 3; }
    }
    const ptr = realloc(0, 0, 1, len);
    const { read, written } = TEXT_ENCODER_UTF8.encodeInto(
    s,
    new Uint8Array(memory.buffer, ptr, len),
    );
    if (read !== s.length || written !== len) {
      throw new Error('failed to encode whole string');
    }
    const res = { ptr, len, codepoints };
    return res;
  }
  
  const T_FLAG = 1 << 30;
  
  function rscTableCreateOwn(table, rep) {
    const free = table[0] & ~T_FLAG;
    table._createdReps.add(rep);
    if (free === 0) {
      table.push(0);
      table.push(rep | T_FLAG);
      return (table.length >> 1) - 1;
    }
    table[0] = table[free << 1];
    table[free << 1] = 0;
    table[(free << 1) + 1] = rep | T_FLAG;
    return free;
  }
  
  const RESOURCE_SCOPE_TASKS = new Map();
  const WebAssemblyRuntimeError = WebAssembly.RuntimeError;
  
  function rscTableRemove(table, handle) {
    const scope = table[handle << 1];
    const val = table[(handle << 1) + 1];
    const own = (val & T_FLAG) !== 0;
    const rep = val & ~T_FLAG;
    if (val === 0 || (scope & T_FLAG) !== 0) {
      // Resource entries occupy scope/rep pairs after the table sentinel.
      throw new WebAssemblyRuntimeError(`unknown handle index ${(handle << 1) + 1}`);
    }
    if (own && scope !== 0) {
      throw new WebAssemblyRuntimeError('cannot remove owned resource while borrowed');
    }
    const borrowTask = own ? undefined : RESOURCE_SCOPE_TASKS.get(scope);
    table[handle << 1] = table[0] | T_FLAG;
    table[0] = handle | T_FLAG;
    borrowTask?.removeBorrowedHandle();
    return { rep, scope, own };
  }
  
  let RESOURCE_SCOPE_ID = 0;
  
  let curResourceBorrows = [];
  const ASYNC_TASKS_BY_COMPONENT_IDX = new Map();
  const ASYNC_CURRENT_COMPONENT_IDXS = [];
  
  function getCurrentTask(componentIdx, taskID) {
    let usedGlobal = false;
    if (componentIdx === undefined || componentIdx === null) {
      throw new Error('missing component idx'); // TODO(fix)
      // componentIdx = ASYNC_CURRENT_COMPONENT_IDXS.at(-1);
      // usedGlobal = true;
    }
    
    const taskMetas = ASYNC_TASKS_BY_COMPONENT_IDX.get(componentIdx);
    if (taskMetas === undefined || taskMetas.length === 0) { return undefined; }
    
    if (taskID) {
      return taskMetas.find(meta => meta.task.id() === taskID);
    }
    
    const taskMeta = taskMetas[taskMetas.length - 1];
    if (!taskMeta || !taskMeta.task) { return undefined; }
    
    return taskMeta;
  }
  const ASYNC_CURRENT_TASK_IDS = [];
  
  const _debugLog = (...args) => {
    if (!globalThis?.process?.env?.JCO_DEBUG) { return; }
    console.debug(...args);
  };
  
  function clearCurrentTask(componentIdx, taskID) {
    _debugLog('[clearCurrentTask()] args', { componentIdx, taskID });
    
    if (componentIdx === undefined || componentIdx === null) {
      throw new Error('missing/invalid component instance index while ending current task');
    }
    
    const tasks = ASYNC_TASKS_BY_COMPONENT_IDX.get(componentIdx);
    if (!tasks || !Array.isArray(tasks)) {
      throw new Error('missing/invalid tasks for component instance while ending task');
    }
    if (tasks.length == 0) {
      throw new Error(`no current tasks for component instance [${componentIdx}] while ending task`);
    }
    
    if (taskID !== undefined) {
      const last = tasks[tasks.length - 1];
      if (last.id !== taskID) {
        // throw new Error('current task does not match expected task ID');
        return;
      }
    }
    
    ASYNC_CURRENT_TASK_IDS.pop();
    ASYNC_CURRENT_COMPONENT_IDXS.pop();
    
    const taskMeta = tasks.pop();
    return taskMeta.task;
  }
  const ASYNC_STATE = new Map();
  
  function promiseWithResolvers() {
    if (Promise.withResolvers) {
      return Promise.withResolvers();
    } else {
      let resolve;
      let reject;
      const promise = new Promise((res, rej) => {
        resolve = res;
        reject = rej;
      });
      return { promise, resolve, reject };
    }
  }
  
  class Waitable {
    #componentIdx;
    
    #pendingEventFn = null;
    
    #promise;
    #resolve;
    #reject;
    
    #waitableSet = null;
    
    #hasSyncWaiter = false;
    
    #idx = null; // to component-global waitables
    
    target;
    
    constructor(args) {
      const { componentIdx, target } = args;
      this.#componentIdx = componentIdx;
      this.target = args.target;
      this.#resetPromise();
    }
    
    componentIdx() { return this.#componentIdx; }
    isInSet() { return this.#waitableSet !== null; }
    
    idx() { return this.#idx; }
    setIdx(idx) {
      if (idx === 0) { throw new Error("waitable idx cannot be zero"); }
      this.#idx = idx;
    }
    
    setTarget(tgt) { this.target = tgt; }
    
    #resetPromise() {
      const { promise, resolve, reject } = promiseWithResolvers()
      this.#promise = promise;
      this.#resolve = resolve;
      this.#reject = reject;
    }
    
    resolve() { this.#resolve(); }
    reject(err) { this.#reject(err); }
    promise() { return this.#promise; }
    
    hasPendingEvent() {
      // _debugLog('[Waitable#hasPendingEvent()]', {
        //     componentIdx: this.#componentIdx,
        //     waitable: this,
        //     waitableSet: this.#waitableSet,
        //     hasPendingEvent: this.#pendingEventFn !== null,
        // });
        return this.#pendingEventFn !== null;
      }
      
      setPendingEvent(fn) {
        _debugLog('[Waitable#setPendingEvent()] args', {
          waitable: this,
          inSet: this.#waitableSet,
        });
        this.#pendingEventFn = fn;
      }
      
      getPendingEvent() {
        _debugLog('[Waitable#getPendingEvent()] args', {
          waitable: this,
          inSet: this.#waitableSet,
          hasPendingEvent: this.#pendingEventFn !== null,
        });
        if (this.#pendingEventFn === null) { return null; }
        const eventFn = this.#pendingEventFn;
        this.#pendingEventFn = null;
        const e = eventFn();
        this.#resetPromise();
        return e;
      }
      
      join(waitableSet) {
        _debugLog('[Waitable#join()] args', {
          waitable: this,
          waitableSet: waitableSet,
          isRemoval: waitableSet === null,
        });
        
        if (this.#waitableSet === undefined) {
          throw new TypeError('waitable set must be not be undefined');
        }
        
        if (this.#waitableSet) {
          this.#waitableSet.removeWaitable(this);
        }
        
        this.#waitableSet = waitableSet;
        
        if (waitableSet) {
          this.#waitableSet.addWaitable(this);
        }
      }
      
      drop() {
        _debugLog('[Waitable#drop()] args', {
          componentIdx: this.#componentIdx,
          waitable: this,
        });
        if (this.hasPendingEvent()) {
          throw new Error('waitables with pending events cannot be dropped');
        }
        this.join(null);
      }
      
      async waitForPendingEvent(args) {
        const { cstate } = args;
        if (!cstate) { throw new TypeError('missing component state'); }
        
        if (this.#waitableSet !== null || this.#hasSyncWaiter) {
          throw new Error("waitable is already in a set/has a sync waiter");
        }
        this.#hasSyncWaiter = true;
        await cstate.waitUntil({
          cancellable: false,
          readyFn: () => this.hasPendingEvent(),
        });
        this.#hasSyncWaiter = false;
      }
      
    }
    const INSTANCE_FLAGS = new Map();
    const STORE_TRAP = { error: null };
    const STORE_ASYNC_STATE = { deadlockCheck: null, pendingHostOperations: 0 };
    
    function _checkForDeadlock() {
      if (STORE_ASYNC_STATE.deadlockCheck !== null || STORE_TRAP.error !== null) { return; }
      STORE_ASYNC_STATE.deadlockCheck = setTimeout(() => {
        STORE_ASYNC_STATE.deadlockCheck = null;
        if (STORE_TRAP.error !== null || STORE_ASYNC_STATE.pendingHostOperations > 0) { return; }
        
        const suspendedTasks = new Set();
        for (const state of ASYNC_STATE.values()) {
          if (state.hasPendingSchedulerWork()) {
            state.runTickLoop();
            return;
          }
          for (const meta of state.suspendedTaskMetas()) {
            suspendedTasks.add(meta.task);
          }
        }
        
        const unresolvedRoots = new Set();
        for (const task of suspendedTasks) {
          const root = task.getRootTask();
          if (!root.isResolvedState()) { unresolvedRoots.add(root); }
        }
        if (unresolvedRoots.size === 0) { return; }
        
        const err = new WebAssemblyRuntimeError('wasm trap: deadlock detected: event loop cannot make further progress');
        // Which tasks were waiting, and on whose behalf. The message stays
        // exactly what the Canonical ABI calls for, so this rides alongside
        // it: a deadlock reported from a real program is otherwise a bare
        // sentence, and the state that produced it is gone by the time
        // anyone reads the failure.
        err.deadlockDetail = {
          pendingHostOperations: STORE_ASYNC_STATE.pendingHostOperations,
          suspendedTasks: [...suspendedTasks].map((task) => ({
            taskID: task.id(),
            componentIdx: task.componentIdx(),
            state: task.taskState(),
            rootTaskID: task.getRootTask().id(),
          })),
          unresolvedRootTaskIDs: [...unresolvedRoots].map((root) => root.id()),
        };
        STORE_TRAP.error = err;
        for (const root of unresolvedRoots) {
          root.setErrored(err);
          root.reject(err);
        }
        for (const task of suspendedTasks) {
          if (!task.isResolvedState() && unresolvedRoots.has(task.getRootTask())) {
            task.setErrored(err);
            task.reject(err);
          }
        }
        for (const state of ASYNC_STATE.values()) { state.runTickLoop(); }
      }, 0);
    }
    
    const CORE_TRAP_MESSAGES = new Map([
    ['unreachable', "wasm trap: wasm `unreachable` instruction executed"],
    ['memory access out of bounds', "wasm trap: out of bounds memory access"],
    ['divide by zero', "wasm trap: integer divide by zero"],
    ['remainder by zero', "wasm trap: integer divide by zero"],
    ['divide result unrepresentable', "wasm trap: integer overflow"],
    ['float unrepresentable in integer range', "wasm trap: invalid conversion to integer"],
    ['table index is out of bounds', "wasm trap: undefined element: out of bounds table access"],
    ['function signature mismatch', "wasm trap: indirect call type mismatch"],
    ['call stack exhausted', "wasm trap: call stack exhausted"],
    ]);
    function _normalizeCoreTrap(err) {
      if (!(err instanceof WebAssemblyRuntimeError)) { return err; }
      const message = CORE_TRAP_MESSAGES.get(err.message);
      if (message !== undefined) { err.message = message; }
      return err;
    }
    
    class RepTable {
      // Sentinel marking a freed slot; the freelist link for a freed slot
      // lives in the odd cell. This keeps get()/contains()/remove() on freed
      // reps well-defined (previously they returned/corrupted freelist links).
      static FREE = Symbol('RepTable.free');
      
      #data = [0, null];
      #size = 0;
      #target;
      
      constructor(args) {
        this.target = args?.target;
      }
      
      data() { return this.#data; }
      
      insert(val) {
        _debugLog('[RepTable#insert()] args', { val, target: this.target });
        const freeIdx = this.#data[0];
        if (freeIdx === 0) {
          this.#data.push(val);
          this.#data.push(null);
          const rep = (this.#data.length >> 1) - 1;
          _debugLog('[RepTable#insert()] inserted', { val, target: this.target, rep });
          this.#size += 1;
          return rep;
        }
        const placementIdx = freeIdx << 1;
        if (this.#data[placementIdx] !== RepTable.FREE) {
          throw new Error('corrupt rep table freelist: head does not point at a freed slot');
        }
        this.#data[0] = this.#data[placementIdx + 1];
        this.#data[placementIdx] = val;
        this.#data[placementIdx + 1] = null;
        _debugLog('[RepTable#insert()] inserted', { val, target: this.target, rep: freeIdx });
        this.#size += 1;
        return freeIdx;
      }
      
      get(rep) {
        _debugLog('[RepTable#get()] args', { rep, target: this.target });
        if (rep === 0) { throw new Error('invalid resource rep during get, (cannot be 0)'); }
        
        const baseIdx = rep << 1;
        const val = this.#data[baseIdx];
        if (val === RepTable.FREE) { return undefined; }
        return val;
      }
      
      contains(rep) {
        _debugLog('[RepTable#contains()] args', { rep, target: this.target });
        if (rep === 0) { throw new Error('invalid resource rep during contains, (cannot be 0)'); }
        
        const baseIdx = rep << 1;
        const val = this.#data[baseIdx];
        return val !== RepTable.FREE && !!val;
      }
      
      remove(rep) {
        _debugLog('[RepTable#remove()] args', { rep, target: this.target });
        if (rep === 0) { throw new Error('invalid resource rep during remove, (cannot be 0)'); }
        if (this.#data.length === 2) { throw new Error('invalid'); }
        
        const baseIdx = rep << 1;
        if (baseIdx >= this.#data.length) {
          throw new Error(`invalid rep [${rep}] during remove, out of range`);
        }
        const val = this.#data[baseIdx];
        if (val === RepTable.FREE) {
          throw new Error(`double removal of rep [${rep}] (already freed)`);
        }
        
        this.#data[baseIdx] = RepTable.FREE;
        this.#data[baseIdx + 1] = this.#data[0];
        this.#data[0] = rep;
        this.#size -= 1;
        
        return val;
      }
      
      size() { return this.#size; }
      
      clear() {
        _debugLog('[RepTable#clear()] args', { rep, target: this.target });
        this.#data = [0, null];
      }
    }
    
    class ComponentAsyncState {
      static EVENT_HANDLER_EVENTS = [ 'backpressure-change' ];
      
      static TickResult = {
        // no suspended tasks remain
        DONE: 'done',
        // a suspended task was resumed (more may be ready)
        RESUMED: 'resumed',
        // suspended tasks remain but none were ready
        IDLE: 'idle',
      };
      
      #componentIdx;
      #callingAsyncImport = false;
      #syncImportWait = promiseWithResolvers();
      #lockHolderTaskID = null;
      #lockWaiters = [];
      #lockHandoffScheduled = false;
      #pendingTaskStarts = 0;
      #parkedTasks = new Map();
      #suspendedTasksByTaskID = new Map();
      #suspendedTaskIDs = [];
      #errored = null;
      #trapped = false;
      #backpressure = 0;
      #backpressureWaiters = 0n;
      
      #handlerMap = new Map();
      #nextHandlerID = 0n;
      
      #tickLoop = null;
      #tickLoopInterval = null;
      
      #onExclusiveReleaseHandlers = [];
      
      #mayLeave = true;
      
      handles;
      subtasks;
      
      constructor(args) {
        this.#componentIdx = args.componentIdx;
        this.handles = new RepTable({ target: `component [${this.#componentIdx}] handles (waitable objects)` });
        this.subtasks = new RepTable({ target: `component [${this.#componentIdx}] subtasks` });
      };
      
      componentIdx() { return this.#componentIdx; }
      
      get mayLeave() {
        const flags = INSTANCE_FLAGS.get(this.#componentIdx);
        return flags === undefined ? this.#mayLeave : flags.value === 1;
      }
      set mayLeave(value) {
        if (typeof value !== 'boolean') { throw new TypeError('mayLeave must be a boolean'); }
        this.#mayLeave = value;
        const flags = INSTANCE_FLAGS.get(this.#componentIdx);
        if (flags !== undefined) { flags.value = value ? 1 : 0; }
      }
      
      errored() { return this.#errored !== null; }
      setErrored(err) {
        _debugLog('[ComponentAsyncState#setErrored()] component errored', { err, componentIdx: this.#componentIdx });
        if (this.#errored) { return; }
        if (!err) {
          err = new Error('error elswehere (see other component instance error)')
          err.componentIdx = this.#componentIdx;
        }
        this.#errored = err;
      }
      
      markTrapped(err) {
        if (!(err instanceof WebAssemblyRuntimeError)) {
          return false;
        }
        err = _normalizeCoreTrap(err);
        this.#trapped = true;
        _debugLog('[ComponentAsyncState#markTrapped()] component trapped', { err, componentIdx: this.#componentIdx });
        if (STORE_TRAP.error === null) { STORE_TRAP.error = err; }
        return true;
      }
      
      throwIfTrapped() {
        if (this.#trapped) {
          throw new WebAssemblyRuntimeError("wasm trap: cannot enter component instance");
        }
      }
      
      callingSyncImport(val) {
        if (val === undefined) { return this.#callingAsyncImport; }
        if (typeof val !== 'boolean') { throw new TypeError('invalid setting for async import'); }
        const prev = this.#callingAsyncImport;
        this.#callingAsyncImport = val;
        if (prev === true && this.#callingAsyncImport === false) {
          this.#notifySyncImportEnd();
        }
      }
      
      #notifySyncImportEnd() {
        const existing = this.#syncImportWait;
        this.#syncImportWait = promiseWithResolvers();
        existing.resolve();
      }
      
      async waitForSyncImportCallEnd() {
        await this.#syncImportWait.promise;
      }
      
      setBackpressure(v) {
        this.#backpressure = v;
        return this.#backpressure
      }
      getBackpressure() { return this.#backpressure; }
      
      incrementBackpressure() {
        const current = this.#backpressure;
        if (current < 0 || current > 2**16) {
          throw new Error(`invalid current backpressure value [${current}]`);
        }
        const newValue = this.getBackpressure() + 1;
        if (newValue >= 2**16) {
          throw new Error(`invalid new backpressure value [${newValue}], overflow`);
        }
        return this.setBackpressure(newValue);
      }
      
      decrementBackpressure() {
        const current = this.#backpressure;
        if (current < 0 || current > 2**16) {
          throw new Error(`invalid current backpressure value [${current}]`);
        }
        const newValue = Math.max(0, current - 1);
        if (newValue < 0) {
          throw new Error(`invalid new backpressure value [${newValue}], underflow`);
        }
        return this.setBackpressure(newValue);
      }
      hasBackpressure() { return this.#backpressure > 0; }
      
      waitForBackpressure() {
        let backpressureCleared = false;
        const cstate = this;
        cstate.addBackpressureWaiter();
        const handlerID = this.registerHandler({
          event: 'backpressure-change',
          fn: (bp) => {
            if (bp === 0) {
              cstate.removeHandler(handlerID);
              backpressureCleared = true;
            }
          }
        });
        return new Promise((resolve) => {
          const interval = setInterval(() => {
            if (backpressureCleared) { return; }
            clearInterval(interval);
            cstate.removeBackpressureWaiter();
            resolve(null);
          }, 0);
        });
      }
      
      registerHandler(args) {
        const { event, fn } = args;
        if (!event) { throw new Error("missing handler event"); }
        if (!fn) { throw new Error("missing handler fn"); }
        
        if (!ComponentAsyncState.EVENT_HANDLER_EVENTS.includes(event)) {
          throw new Error(`unrecognized event handler [${event}]`);
        }
        
        const handlerID = this.#nextHandlerID++;
        let handlers = this.#handlerMap.get(event);
        if (!handlers) {
          handlers = [];
          this.#handlerMap.set(event, handlers)
        }
        
        handlers.push({ id: handlerID, fn, event });
        return handlerID;
      }
      
      removeHandler(args) {
        const { event, handlerID } = args;
        const registeredHandlers = this.#handlerMap.get(event);
        if (!registeredHandlers) { return; }
        const found = registeredHandlers.find(h => h.id === handlerID);
        if (!found) { return; }
        this.#handlerMap.set(event, this.#handlerMap.get(event).filter(h => h.id !== handlerID));
      }
      
      getBackpressureWaiters() { return this.#backpressureWaiters; }
      addBackpressureWaiter() { this.#backpressureWaiters++; }
      removeBackpressureWaiter() {
        this.#backpressureWaiters--;
        if (this.#backpressureWaiters < 0) {
          throw new Error("unexepctedly negative number of backpressure waiters");
        }
      }
      
      // The per-slice mutual-exclusion lock for guest execution in this
      // component instance. Guest slices (callback invocations and
      // sync-lifted bodies) must be atomic per component even across the
      // JSPI suspensions jco introduces for host imports: wit-bindgen's
      // executors publish per-task state in single linear-memory cells
      // (the wasip3-task pointer, context-local storage discipline) that
      // an interleaved slice of the same component corrupts
      //
      // The lock is *owned*: acquisition records the holder task and
      // release is a no-op for anyone else, so a task exiting can no
      // longer drop a hold it does not own (blind acquire/release-any
      // was the previous discipline). Contended acquisition queues
      // FIFO; release hands the lock to the next waiter directly.
      isExclusivelyLocked() { return this.#lockHolderTaskID !== null; }
      exclusivelyLockedBy(taskID) { return this.#lockHolderTaskID === taskID; }
      
      exclusiveLock(taskID) {
        _debugLog('[ComponentAsyncState#exclusiveLock()]', {
          holder: this.#lockHolderTaskID,
          requester: taskID,
          componentIdx: this.#componentIdx,
        });
        if (taskID === undefined || taskID === null) {
          throw new Error('exclusive lock requires the acquiring task id');
        }
        if (this.#lockHolderTaskID !== null) {
          throw new Error(`component [${this.#componentIdx}] exclusive lock held by task [${this.#lockHolderTaskID}], requested by [${taskID}]`);
        }
        this.#lockHolderTaskID = taskID;
      }
      
      // Awaitable acquisition: takes the lock immediately when free,
      // otherwise queues FIFO behind the current holder and earlier
      // waiters. The resolved promise implies ownership.
      acquireExclusiveLock(taskID) {
        if (taskID === undefined || taskID === null) {
          throw new Error('exclusive lock requires the acquiring task id');
        }
        if (this.#lockHolderTaskID === null) {
          this.#lockHolderTaskID = taskID;
          _debugLog('[ComponentAsyncState#acquireExclusiveLock()] acquired', {
            holder: taskID,
            componentIdx: this.#componentIdx,
          });
          return;
        }
        if (this.#lockHolderTaskID === taskID) {
          throw new Error(`task [${taskID}] already holds the lock for component [${this.#componentIdx}]`);
        }
        _debugLog('[ComponentAsyncState#acquireExclusiveLock()] waiting', {
          holder: this.#lockHolderTaskID,
          requester: taskID,
          componentIdx: this.#componentIdx,
          queued: this.#lockWaiters.length,
        });
        return new Promise((resolve) => {
          this.#lockWaiters.push({ taskID, resolve });
        });
      }
      
      exclusiveRelease(taskID) {
        _debugLog('[ComponentAsyncState#exclusiveRelease()] args', {
          holder: this.#lockHolderTaskID,
          releaser: taskID,
          componentIdx: this.#componentIdx,
        });
        if (this.#lockHolderTaskID !== taskID) {
          // Ownerless releases were the historical behavior; a foreign
          // release now leaves the hold intact
          _debugLog('[ComponentAsyncState#exclusiveRelease()] ignoring foreign release', {
            holder: this.#lockHolderTaskID,
            releaser: taskID,
            componentIdx: this.#componentIdx,
          });
          return false;
        }
        
        // Make the release observable before handing the lock to the next
        // asynchronous guest slice.
        //
        // Release handlers may expose a lifted value whose consumer immediately
        // performs a synchronous call on the same component; that call must run
        // while the instance is genuinely unlocked, not via enterSync's
        // lock-free fallback code.
        this.#lockHolderTaskID = null;
        
        this.#onExclusiveReleaseHandlers = this.#onExclusiveReleaseHandlers.filter(v => !!v);
        for (const [idx, f] of this.#onExclusiveReleaseHandlers.entries()) {
          try {
            this.#onExclusiveReleaseHandlers[idx] = null;
            f();
          } catch (err) {
            _debugLog("error while executing handler for next exclusive release", err);
            throw err;
          }
        }
        this.#scheduleLockHandoff();
        return true;
      }
      
      #scheduleLockHandoff() {
        if (this.#lockHandoffScheduled || this.#lockWaiters.length === 0) { return; }
        this.#lockHandoffScheduled = true;
        queueMicrotask(() => {
          this.#lockHandoffScheduled = false;
          // A synchronous call triggered by a release handler gets the
          // first opportunity to use the unlocked component.
          //
          // Its release will leave this queued handoff in place.
          if (this.#lockHolderTaskID !== null) {
            this.#scheduleLockHandoff();
            return;
          }
          const next = this.#lockWaiters.shift();
          if (!next) { return; }
          this.#lockHolderTaskID = next.taskID;
          next.resolve();
        });
      }
      
      onNextExclusiveRelease(fn) {
        _debugLog('[ComponentAsyncState#()onNextExclusiveRelease] registering');
        this.#onExclusiveReleaseHandlers.push(fn);
      }
      
      async waitForExclusiveRelease() {
        while (this.isExclusivelyLocked()) {
          await new Promise(resolve => this.onNextExclusiveRelease(resolve));
        }
      }
      
      #getSuspendedTaskMeta(taskID) {
        return this.#suspendedTasksByTaskID.get(taskID);
      }
      
      #removeSuspendedTaskMeta(taskID) {
        _debugLog('[ComponentAsyncState#removeSuspendedTaskMeta()] removing suspended task', {
          taskID,
          componentIdx: this.#componentIdx,
        });
        const idx = this.#suspendedTaskIDs.findIndex(t => t === taskID);
        const meta = this.#suspendedTasksByTaskID.get(taskID);
        this.#suspendedTaskIDs[idx] = null;
        this.#suspendedTasksByTaskID.delete(taskID);
        return meta;
      }
      
      #addSuspendedTaskMeta(meta) {
        if (!meta) { throw new Error('missing task meta'); }
        const taskID = meta.taskID;
        this.#suspendedTasksByTaskID.set(taskID, meta);
        this.#suspendedTaskIDs.push(taskID);
        if (this.#suspendedTasksByTaskID.size < this.#suspendedTaskIDs.length - 10) {
          this.#suspendedTaskIDs = this.#suspendedTaskIDs.filter(t => t !== null);
        }
      }
      
      // TODO(threads): readyFn is normally on the thread
      suspendTask(args) {
        const { task, readyFn, cancellable, onResume } = args;
        const taskID = task.id();
        const componentIdx = task.componentIdx();
        _debugLog('[ComponentAsyncState#suspendTask()]', {
          taskID,
          componentIdx: this.#componentIdx,
          taskEntryFnName: task.entryFnName(),
          subtask: task.getParentSubtask(),
        });
        
        if (componentIdx !== this.#componentIdx) {
          throw new Error('assert: task component idx should match async state');
        }
        
        if (this.#getSuspendedTaskMeta(taskID)) {
          throw new Error(`task [${taskID}] already suspended`);
        }
        
        let promise;
        let resume;
        if (onResume) {
          resume = () => onResume(!task.isCancelled());
        } else {
          const resolvers = promiseWithResolvers();
          promise = resolvers.promise;
          resume = () => resolvers.resolve(!task.isCancelled());
        }
        this.#addSuspendedTaskMeta({
          task,
          taskID,
          cancellable,
          readyFn,
          resume: () => {
            _debugLog('[ComponentAsyncState] resuming suspended task', {
              taskID,
              componentIdx: this.#componentIdx,
            });
            // TODO(threads): it's thread cancellation we should be checking for below, not task
            resume();
          },
        });
        
        // A caller synchronously driving one task quantum (for
        // example, subtask.cancel) waits for the resumed task to
        // either resolve or suspend again.
        task.notifyProgress();
        
        this.runTickLoop();
        _checkForDeadlock();
        
        return promise;
      }
      
      resumeTaskByID(taskID) {
        const meta = this.#removeSuspendedTaskMeta(taskID);
        if (!meta) { return false; }
        if (meta.taskID !== taskID) { throw new Error('task ID does not match'); }
        meta.resume();
        return true;
      }
      
      suspendedTaskReady(taskID) {
        const meta = this.#getSuspendedTaskMeta(taskID);
        if (!meta) { return false; }
        if (!meta.readyFn) {
          throw new Error(`suspended task [${taskID}] is missing a readiness function`);
        }
        return meta.task.isRejected() || meta.readyFn();
      }
      
      suspendedTaskCancellable(taskID) {
        return !!this.#getSuspendedTaskMeta(taskID)?.cancellable;
      }
      
      isTaskSuspended(taskID) {
        return this.#suspendedTasksByTaskID.has(taskID);
      }
      
      suspendedTaskMetas() {
        return this.#suspendedTasksByTaskID.values();
      }
      
      addPendingTaskStart() { this.#pendingTaskStarts++; }
      removePendingTaskStart() { this.#pendingTaskStarts--; }
      
      hasPendingSchedulerWork() {
        if (this.#pendingTaskStarts > 0) { return true; }
        if (this.#lockHandoffScheduled) { return true; }
        for (const meta of this.#suspendedTasksByTaskID.values()) {
          if (meta.task.isRejected() || meta.readyFn()) { return true; }
        }
        return false;
      }
      
      async runTickLoop() {
        if (this.#tickLoop !== null) { return; }
        this.#tickLoop = 1;
        setTimeout(async () => {
          let result = this.tick();
          while (result !== ComponentAsyncState.TickResult.DONE) {
            if (result === ComponentAsyncState.TickResult.IDLE) {
              _checkForDeadlock();
            }
            // After resuming a task, re-tick as soon as the resumed
            // slice's microtask continuations have drained (timeout 0)
            // so queued sibling resumptions aren't charged the idle
            // polling interval; otherwise poll at the idle cadence.
            const delay = result === ComponentAsyncState.TickResult.RESUMED ? 0 : 10;
            await new Promise((resolve) => setTimeout(resolve, delay));
            result = this.tick();
          }
          this.#tickLoop = null;
        }, 10);
      }
      
      tick() {
        // _debugLog('[ComponentAsyncState#tick()]', { suspendedTaskIDs: this.#suspendedTaskIDs });
        
        const resumableTasks = this.#suspendedTaskIDs.filter(t => t !== null);
        for (const taskID of resumableTasks) {
          const meta = this.#suspendedTasksByTaskID.get(taskID);
          if (!meta || !meta.readyFn) {
            throw new Error(`missing/invalid task despite ID [${taskID}] being present`);
          }
          
          // If the task failed via any means, allow the task to resume because
          // it's been cancelled -- the callback should immediately exit as well
          if (meta.task.isRejected()) {
            _debugLog('[ComponentAsyncState#tick()] detected task rejection, leaving early', { meta });
            this.resumeTaskByID(taskID);
            return ComponentAsyncState.TickResult.RESUMED;
          }
          
          const isReady = meta.readyFn();
          if (!isReady) { continue; }
          
          _debugLog('[ComponentAsyncState#tick()] resuming task via tick', {
            taskID,
            componentIdx: this.#componentIdx,
          });
          this.resumeTaskByID(taskID);
          
          // NOTE: during single-flight resumption, we should resume at most one task per
          // tick so that the resumed slice (a microtask continuation)
          // runs -- and its current-task register window opens and
          // closes -- before any sibling task of this component is
          // resumed.
          //
          // Resuming multiple suspended tasks in one synchronous
          // cascade interleaves their register save/restore windows
          // ([restoreA, restoreB, resumeA, resumeB]), re-entering wasm
          // with the register naming the wrong task, and the
          // 'known residual' of the JSPI current-task register
          // fix); with concurrent task lifetimes per component this
          // corrupts guest context-local storage.
          return ComponentAsyncState.TickResult.RESUMED;
        }
        
        const idle = this.#suspendedTaskIDs.filter(t => t !== null).length > 0;
        return idle
        ? ComponentAsyncState.TickResult.IDLE
        : ComponentAsyncState.TickResult.DONE;
      }
      
      createWaitable(args) {
        return new Waitable({ target: args?.target, });
      }
    }
    
    function getOrCreateAsyncState(componentIdx, init) {
      if (!ASYNC_STATE.has(componentIdx)) {
        const newState = new ComponentAsyncState({ componentIdx });
        ASYNC_STATE.set(componentIdx, newState);
      }
      return ASYNC_STATE.get(componentIdx);
    }
    const GLOBAL_COMPONENT_MEMORY_MAP = new Map();
    
    function lookupMemoriesForComponent(args) {
      const { componentIdx } = args ?? {};
      if (args.componentIdx === undefined) { throw new TypeError("missing component idx"); }
      
      const metas = GLOBAL_COMPONENT_MEMORY_MAP.get(componentIdx);
      if (!metas) { return []; }
      
      if (args.memoryIdx === undefined) {
        return Object.values(metas);
      }
      
      const meta = metas[args.memoryIdx];
      return meta?.memory;
    }
    
    class AsyncSubtask {
      static _ID = 0n;
      
      static State = {
        STARTING: 0,
        STARTED: 1,
        RETURNED: 2,
        CANCELLED_BEFORE_STARTED: 3,
        CANCELLED_BEFORE_RETURNED: 4,
      };
      
      #id;
      #state = AsyncSubtask.State.STARTING;
      #componentIdx;
      
      #parentTask;
      #childTask = null;
      
      #dropped = false;
      #cancelRequested = false;
      
      #memoryIdx = null;
      #lenders = null;
      
      #waitable = null;
      
      #callbackFn = null;
      #callbackFnName = null;
      
      #postReturnFn = null;
      #onProgressFn = null;
      #pendingEventFn = null;
      
      #callMetadata = {};
      
      #resolved = false;
      
      #onResolveHandlers = [];
      #onStartHandlers = [];
      
      #result = null;
      #resultSet = false;
      
      fnName;
      target;
      isAsync;
      isManualAsync;
      // One execution slice awaited by the conditional cancel trampoline.
      cancelProgress = null;
      
      constructor(args) {
        if (typeof args.componentIdx !== 'number') {
          throw new Error('invalid componentIdx for subtask creation');
        }
        this.#componentIdx = args.componentIdx;
        
        this.#id = ++AsyncSubtask._ID;
        this.fnName = args.fnName;
        
        if (!args.parentTask) { throw new Error('missing parent task during subtask creation'); }
        this.#parentTask = args.parentTask;
        
        if (args.childTask) { this.#childTask = args.childTask; }
        
        if (args.memoryIdx) { this.#memoryIdx = args.memoryIdx; }
        
        if (!args.waitable) { throw new Error("missing/invalid waitable"); }
        this.#waitable = args.waitable;
        
        if (args.callMetadata) { this.#callMetadata = args.callMetadata; }
        
        this.#lenders = [];
        this.target = args.target;
        this.isAsync = args.isAsync;
        this.isManualAsync = args.isManualAsync;
      }
      
      id() { return this.#id; }
      parentTaskID() { return this.#parentTask?.id(); }
      childTaskID() { return this.#childTask?.id(); }
      state() { return this.#state; }
      
      waitable() { return this.#waitable; }
      waitableRep() { return this.#waitable.idx(); }
      
      join() { return this.#waitable.join(...arguments); }
      getPendingEvent() { return this.#waitable.getPendingEvent(...arguments); }
      hasPendingEvent() { return this.#waitable.hasPendingEvent(...arguments); }
      setPendingEvent() { return this.#waitable.setPendingEvent(...arguments); }
      
      setTarget(tgt) { this.target = tgt; }
      
      getResult() {
        if (!this.#resultSet) { throw new Error("subtask result has not been set") }
        return this.#result;
      }
      setResult(v) {
        if (this.#resultSet) { throw new Error("subtask result has already been set"); }
        this.#result = v;
        this.#resultSet = true;
      }
      
      componentIdx() { return this.#componentIdx; }
      
      setChildTask(t) {
        if (!t) { throw new Error('cannot set missing/invalid child task on subtask'); }
        if (this.#childTask) { throw new Error('child task is already set on subtask'); }
        if (this.#parentTask === t) { throw new Error("parent cannot be child"); }
        this.#childTask = t;
      }
      getChildTask(t) { return this.#childTask; }
      
      getParentTask() { return this.#parentTask; }
      
      setCallbackFn(f, name) {
        if (!f) { return; }
        if (this.#callbackFn) { throw new Error('callback fn can only be set once'); }
        this.#callbackFn = f;
        this.#callbackFnName = name;
      }
      
      getCallbackFnName() {
        if (!this.#callbackFn) { return undefined; }
        return this.#callbackFn.name;
      }
      
      setPostReturnFn(f) {
        if (!f) { return; }
        if (this.#postReturnFn) { throw new Error('postReturn fn can only be set once'); }
        this.#postReturnFn = f;
      }
      
      setOnProgressFn(f) {
        if (this.#onProgressFn) { throw new Error('on progress fn can only be set once'); }
        this.#onProgressFn = f;
      }
      
      isNotStarted() {
        return this.#state == AsyncSubtask.State.STARTING;
      }
      
      cancellationRequested() { return this.#cancelRequested; }
      
      // Request cooperative cancellation of this subtask, on behalf of the
      // supertask (i.e. `canon subtask.cancel`).
      //
      // If the callee is another guest task, the request is delivered to it and
      // the callee confirms via `task.cancel` (or still resolves via `task.return`).
      //
      // If the callee is a host function there is (currently) no host-side
      // cancellation hook, so the pending call is treated as immediately
      // cancelled -- consistent with hosts being expected to resolve
      // cancellation promptly -- and any later host resolution is discarded
      // (see `AsyncTask#onResolve`).
      requestCancellation() {
        _debugLog('[AsyncSubtask#requestCancellation()] args', {
          componentIdx: this.#componentIdx,
          subtaskID: this.#id,
          state: this.#state,
          childTaskID: this.childTaskID(),
          fnName: this.fnName,
        });
        if (this.#cancelRequested) {
          throw new Error('cancellation has already been requested for this subtask');
        }
        this.#cancelRequested = true;
        
        if (this.#resolved) { return; }
        
        if (this.#childTask) {
          this.#childTask.requestCancellation();
          return;
        }
        
        this.onResolve(null);
      }
      
      registerOnStartHandler(f) {
        this.#onStartHandlers.push(f);
      }
      
      onStart(args) {
        _debugLog('[AsyncSubtask#onStart()] args', {
          componentIdx: this.#componentIdx,
          subtaskID: this.#id,
          parentTaskID: this.parentTaskID(),
          fnName: this.fnName,
          args,
        });
        
        if (this.#onProgressFn) { this.#onProgressFn(); }
        
        // Starting a nested operation is a task execution boundary.
        // In particular, a cancellation handler may synchronously
        // enter an import which then suspends in the host.  Wake a
        // supertask that is driving one cancellation slice so an
        // async `subtask.cancel` can report BLOCKED without waiting
        // for that nested operation to finish.
        this.#parentTask.notifyProgress();
        
        this.#state = AsyncSubtask.State.STARTED;
        
        let result;
        
        // If we have been provided a helper start function as a result of
        // component fusion performed by wasmtime tooling, then we can call that helper and lifts/lowers will
        // be performed for us.
        //
        // See also documentation on `HostIntrinsic::PrepareCall`
        //
        if (this.#callMetadata.startFn) {
          result = this.#callMetadata.startFn.apply(null, args?.startFnParams ?? []);
        }
        
        return result;
      }
      
      
      registerOnResolveHandler(f) {
        this.#onResolveHandlers.push(f);
      }
      
      reject(subtaskErr) {
        if (this.#resolved) { return; }
        
        if (this.#onProgressFn) { this.#onProgressFn(); }
        
        if (this.#state === AsyncSubtask.State.STARTING) {
          this.#state = AsyncSubtask.State.CANCELLED_BEFORE_STARTED;
        } else if (this.#state === AsyncSubtask.State.STARTED) {
          this.#state = AsyncSubtask.State.CANCELLED_BEFORE_RETURNED;
        } else {
          throw new Error('cannot reject a completed subtask');
        }
        
        this.#resolved = true;
        this.#parentTask.removeSubtask(this);
        this.#parentTask.reject(subtaskErr);
      }
      
      onResolve(subtaskValue) {
        _debugLog('[AsyncSubtask#onResolve()] args', {
          componentIdx: this.#componentIdx,
          subtaskID: this.#id,
          isAsync: this.isAsync,
          childTaskID: this.childTaskID(),
          parentTaskID: this.parentTaskID(),
          parentTaskFnName: this.#parentTask?.entryFnName(),
          fnName: this.fnName,
        });
        
        if (this.#resolved) {
          throw new Error('subtask has already been resolved');
        }
        
        if (this.#onProgressFn) { this.#onProgressFn(); }
        
        if (subtaskValue === null && this.#cancelRequested) {
          if (this.#state === AsyncSubtask.State.STARTING) {
            this.#state = AsyncSubtask.State.CANCELLED_BEFORE_STARTED;
          } else {
            if (this.#state !== AsyncSubtask.State.STARTED) {
              throw new Error('resolved subtask must have been started before cancellation');
            }
            this.#state = AsyncSubtask.State.CANCELLED_BEFORE_RETURNED;
          }
        } else {
          if (this.#state !== AsyncSubtask.State.STARTED) {
            throw new Error('resolved subtask must have been started before completion');
          }
          this.#state = AsyncSubtask.State.RETURNED;
        }
        
        this.setResult(subtaskValue);
        
        for (const f of this.#onResolveHandlers) {
          try {
            f(subtaskValue);
          } catch (err) {
            console.error("error during subtask resolve handler", err);
            throw err;
          }
        }
        
        const callMetadata = this.getCallMetadata();
        
        // TODO(fix): we should be able to easily have the caller's meomry
        // to lower into here, but it's not present in PrepareCall
        const memory = callMetadata.memory ?? this.#parentTask?.getReturnMemory() ?? lookupMemoriesForComponent({ componentIdx: this.#parentTask?.componentIdx() })[0];
        // NOTE: cancelled resolutions carry no value, so nothing is lowered
        const returned = this.#state === AsyncSubtask.State.RETURNED;
        if (returned && callMetadata && !callMetadata.returnFn && (this.isAsync || callMetadata.funcTypeIsAsync) && callMetadata.resultPtr && memory) {
          const { resultPtr, realloc } = callMetadata;
          const lowers = callMetadata.lowers; // may have been updated in task.return of the child
          if (lowers && lowers.length > 0) {
            lowers[0]({
              componentIdx: this.#componentIdx,
              memory,
              realloc,
              vals: [subtaskValue],
              storagePtr: resultPtr,
              stringEncoding: callMetadata.stringEncoding,
            });
          }
        }
        
        this.#resolved = true;
        this.#parentTask.removeSubtask(this);
        
        if (!this.isAsync) {
          this.deliverResolve();
          const rep = this.waitableRep();
          if (rep) {
            try {
              const removed = this.#getComponentState().handles.remove(rep);
              if (removed !== this) {
                throw new Error("unexpectedly received non-self Subtask from handle removal");
              }
              this.drop();
            } catch (err) {
              _debugLog('[AsyncSubtask#onResolve()] failed to remove subtask after sync subtask completion', err);
            }
          }
        }
      }
      
      getStateNumber() { return this.#state; }
      isReturned() { return this.#state === AsyncSubtask.State.RETURNED; }
      
      getCallMetadata() { return this.#callMetadata; }
      
      isResolved() {
        if (this.#state === AsyncSubtask.State.STARTING
        || this.#state === AsyncSubtask.State.STARTED) {
          return false;
        }
        if (this.#state === AsyncSubtask.State.RETURNED
        || this.#state === AsyncSubtask.State.CANCELLED_BEFORE_STARTED
        || this.#state === AsyncSubtask.State.CANCELLED_BEFORE_RETURNED) {
          return true;
        }
        throw new Error('unrecognized internal Subtask state [' + this.#state + ']');
      }
      
      addLender(handle) {
        _debugLog('[AsyncSubtask#addLender()] args', { handle });
        if (!Number.isNumber(handle)) { throw new Error('missing/invalid lender handle [' + handle + ']'); }
        
        if (this.#lenders.length === 0 || this.isResolved()) {
          throw new Error('subtask has no lendors or has already been resolved');
        }
        
        handle.lends++;
        this.#lenders.push(handle);
      }
      
      deliverResolve() {
        _debugLog('[AsyncSubtask#deliverResolve()] args', {
          lenders: this.#lenders,
          parentTaskID: this.parentTaskID(),
          subtaskID: this.#id,
          childTaskID: this.childTaskID(),
          resolved: this.isResolved(),
          resolveDelivered: this.resolveDelivered(),
        });
        
        const cannotDeliverResolve = this.resolveDelivered() || !this.isResolved();
        if (cannotDeliverResolve) {
          throw new Error('subtask cannot deliver resolution twice, and the subtask must be resolved');
        }
        
        for (const lender of this.#lenders) {
          lender.lends--;
        }
        
        this.#lenders = null;
      }
      
      resolveDelivered() {
        _debugLog('[AsyncSubtask#resolveDelivered()] args', { });
        if (this.#lenders === null && !this.isResolved()) {
          throw new Error('invalid subtask state, lenders missing and subtask has not been resolved');
        }
        return this.#lenders === null;
      }
      
      drop() {
        _debugLog('[AsyncSubtask#drop()] args', {
          componentIdx: this.#componentIdx,
          parentTaskID: this.#parentTask?.id(),
          parentTaskFnName: this.#parentTask?.entryFnName(),
          childTaskID: this.#childTask?.id(),
          childTaskFnName: this.#childTask?.entryFnName(),
          subtaskFnName: this.fnName,
        });
        if (!this.#waitable) { throw new Error('missing/invalid inner waitable'); }
        if (!this.resolveDelivered()) {
          throw new Error('cannot drop a subtask which has not yet resolved');
        }
        if (this.#waitable) { this.#waitable.drop() }
        this.#dropped = true;
      }
      
      #getComponentState() {
        const state = getOrCreateAsyncState(this.#componentIdx);
        if (!state) {
          throw new Error('invalid/missing async state for component [' + componentIdx + ']');
        }
        return state;
      }
      
      getWaitableHandleIdx() {
        _debugLog('[AsyncSubtask#getWaitableHandleIdx()] args', { });
        if (!this.#waitable) { throw new Error('missing/invalid waitable'); }
        return this.waitableRep();
      }
    }
    
    class FutureValue {
      #start;
      #settled;
      #hideThen = 0;
      #thenFn;
      
      constructor(start) {
        if (typeof start !== 'function') {
          throw new TypeError('future start operation must be a function');
        }
        this.#start = start;
        this.#thenFn = this.#then.bind(this);
      }
      
      get then() {
        return this.#hideThen === 0 ? this.#thenFn : undefined;
      }
      
      #read() {
        if (!this.#settled) {
          // The start operation resolves to a non-thenable box so a
          // future-valued payload cannot be assimilated by this Promise.
          this.#settled = Promise.resolve().then(this.#start);
        }
        return this.#settled;
      }
      
      resolveAsValue(resolve) {
        this.#hideThen++;
        try {
          resolve(this);
        } finally {
          this.#hideThen--;
        }
      }
      
      #deliver(resolve, value) {
        if (value instanceof FutureValue) {
          // Promise resolution reads `then` synchronously. Hide it only
          // for that lookup so resolving this layer yields the inner
          // FutureValue instead of recursively awaiting it.
          value.resolveAsValue(resolve);
          return;
        }
        resolve(value);
      }
      
      #then(resolve, reject) {
        return this.#read().then(
        box => this.#deliver(resolve, box.value),
        reject,
        );
      }
    }
    const ASYNC_DETERMINISM = 'random';
    const _coinFlip = () => { return Math.random() > 0.5; };
    
    const ASYNC_EVENT_CODE = {
      NONE: 0,
      SUBTASK: 1,
      STREAM_READ: 2,
      STREAM_WRITE: 3,
      FUTURE_READ: 4,
      FUTURE_WRITE: 5,
      TASK_CANCELLED: 6,
    };
    const CURRENT_TASK_META = {};
    
    function _withGlobalCurrentTaskMeta(args) {
      _debugLog('[_withGlobalCurrentTaskMeta()] args', args);
      if (!args) { throw new TypeError('args missing'); }
      if (args.taskID === undefined) { throw new TypeError('missing task ID'); }
      if (args.componentIdx === undefined) { throw new TypeError('missing component idx'); }
      if (!args.fn) { throw new TypeError('missing fn'); }
      const { taskID, componentIdx, fn } = args;
      const previous = CURRENT_TASK_META[componentIdx] ?? null;
      const previousCurrent = CURRENT_TASK_META.current ?? null;
      
      try {
        CURRENT_TASK_META.current =
        CURRENT_TASK_META[componentIdx] = { taskID, componentIdx };
        return fn();
      } catch (err) {
        _debugLog("error while executing sync callee/callback", {
          ...args,
          err,
        });
        throw err;
      } finally {
        // Synchronous wrappers can nest without any intervening JS
        // scheduling. Restore the caller rather than clearing it so
        // helper core exports (for example fused return adapters) can
        // temporarily run under a different task of the same component.
        CURRENT_TASK_META[componentIdx] = previous;
        CURRENT_TASK_META.current = previousCurrent;
      }
    }
    
    async function _withGlobalCurrentTaskMetaAsync(args) {
      _debugLog('[_withGlobalCurrentTaskMetaAsync()] args', args);
      if (!args) { throw new TypeError('args missing'); }
      if (args.taskID === undefined) { throw new TypeError('missing task ID'); }
      if (args.componentIdx === undefined) { throw new TypeError('missing component idx'); }
      if (!args.fn) { throw new TypeError('missing fn'); }
      
      const { taskID, componentIdx, fn } = args;
      
      try {
        CURRENT_TASK_META.current =
        CURRENT_TASK_META[componentIdx] = { taskID, componentIdx };
        return await fn();
      } catch (err) {
        _debugLog("error while executing async callee/callback", {
          ...args,
          err,
        });
        throw err;
      } finally {
        CURRENT_TASK_META[componentIdx] = null;
        if (CURRENT_TASK_META.current?.taskID === taskID) {
          CURRENT_TASK_META.current = null;
        }
      }
    }
    
    class AsyncTask {
      static _ID = 0n;
      
      static State = {
        INITIAL: 'initial',
        CANCELLED: 'cancelled',
        CANCEL_PENDING: 'cancel-pending',
        CANCEL_DELIVERED: 'cancel-delivered',
        RESOLVED: 'resolved',
      }
      
      static BlockResult = {
        CANCELLED: 'block.cancelled',
        NOT_CANCELLED: 'block.not-cancelled',
      }
      
      #id;
      #componentIdx;
      #state;
      #isAsync;
      #isManualAsync;
      #callingWasmExport = true;
      #lockFreeEntry = false;
      #preserveFutureResult;
      #entryFnName = null;
      
      #onResolveHandlers = [];
      #progressWaiters = [];
      #completionPromise = null;
      #completionValue;
      #completionReady = false;
      #settleCompletionPromise;
      #rejected = false;
      
      #exitPromise = null;
      #onExitHandlers = [];
      
      #memoryIdx = null;
      #memory = null;
      
      #callbackFn = null;
      #callbackFnName = null;
      
      #postReturnFn = null;
      
      #getCalleeParamsFn = null;
      #calleeIsAsync = null;
      
      #stringEncoding = null;
      
      #parentSubtask = null;
      
      #errHandling;
      
      #backpressurePromise;
      #backpressureWaiters = 0n;
      
      #returnLowerFns = null;
      
      #resourceScopeId;
      #resourceBorrowCount = 0;
      #resourceLenders = [];
      #resourceScopeExited = false;
      
      #subtasks = [];
      
      #entered = false;
      #exited = false;
      #errored = null;
      
      cancelled = false;
      cancelRequested = false;
      alwaysTaskReturn = false;
      
      returnCalls =  0;
      storage = [0, 0];
      tmpRetI64HighBits = 0|0;
      
      constructor(opts) {
        this.#id = ++AsyncTask._ID;
        this.#resourceScopeId = ++RESOURCE_SCOPE_ID;
        RESOURCE_SCOPE_TASKS.set(this.#resourceScopeId, this);
        
        if (opts?.componentIdx === undefined) {
          throw new TypeError('missing component id during task creation');
        }
        this.#componentIdx = opts.componentIdx;
        
        this.#state = AsyncTask.State.INITIAL;
        this.#isAsync = opts?.isAsync ?? false;
        this.#isManualAsync = opts?.isManualAsync ?? false;
        this.#preserveFutureResult = opts?.preserveFutureResult ?? false;
        this.#entryFnName = opts.entryFnName;
        // Tasks that execute guest slices (export calls, fused
        // callees) default to true; import-handler tasks pass false
        // explicitly (they run host code nested inside the caller's
        // already-locked slice).
        this.#callingWasmExport = opts?.callingWasmExport !== false;
        
        const {
          promise: completionPromise,
          resolve: resolveCompletionPromise,
          reject: rejectCompletionPromise,
        } = promiseWithResolvers();
        this.#completionPromise = completionPromise;
        // A nested rejection can reach the root task while its Wasm
        // entrypoint is still suspended, before the export wrapper awaits
        // this promise. Mark it handled immediately while preserving the
        // original rejected promise for the eventual caller.
        completionPromise.catch(() => {});
        
        let completionSettled = false;
        const settleCompletionPromise = () => {
          if (completionSettled || !this.#completionReady) { return; }
          completionSettled = true;
          if (this.#errored !== null) {
            rejectCompletionPromise(this.#errored);
          } else if (this.#rejected) {
            rejectCompletionPromise(this.#completionValue);
          } else if (
          this.#preserveFutureResult
          && this.#completionValue instanceof FutureValue
          ) {
            this.#completionValue.resolveAsValue(resolveCompletionPromise);
          } else {
            resolveCompletionPromise(this.#completionValue);
          }
        };
        
        this.#settleCompletionPromise = settleCompletionPromise;
        this.#onResolveHandlers.push((results) => {
          if (this.#parentSubtask !== null) { return; }
          if (!this.#isAsync && !this.#isManualAsync) { return; }
          this.#completionValue = results;
          this.#completionReady = true;
          // Publish after the current guest slice returns, so a trap
          // in that slice can still reject the call. Do not wait for
          // task exit: detached work may require further host calls
          // or consumption of a returned resource's stream.
        });
        
        const {
          promise: exitPromise,
          resolve: resolveExitPromise,
          reject: rejectExitPromise,
        } = promiseWithResolvers();
        this.#exitPromise = exitPromise;
        
        this.#onExitHandlers.push(() => {
          if (this.#parentSubtask === null && (this.#isAsync || this.#isManualAsync)) {
            settleCompletionPromise();
          }
          resolveExitPromise();
        });
        
        if (opts.callbackFn) { this.#callbackFn = opts.callbackFn; }
        if (opts.callbackFnName) { this.#callbackFnName = opts.callbackFnName; }
        
        if (opts.getCalleeParamsFn) { this.#getCalleeParamsFn = opts.getCalleeParamsFn; }
        if (opts.stringEncoding) { this.#stringEncoding = opts.stringEncoding; }
        
        if (opts.parentSubtask) { this.#parentSubtask = opts.parentSubtask; }
        
        
        if (opts.errHandling) { this.#errHandling = opts.errHandling; }
      }
      
      taskState() { return this.#state; }
      id() { return this.#id; }
      componentIdx() { return this.#componentIdx; }
      entryFnName() { return this.#entryFnName; }
      
      resourceScopeId() { return this.#resourceScopeId; }
      
      addBorrowedHandle() {
        if (this.#resourceScopeExited) {
          throw new Error('cannot add a borrow to an exited resource scope');
        }
        this.#resourceBorrowCount++;
      }
      
      removeBorrowedHandle() {
        if (this.#resourceBorrowCount === 0) {
          throw new Error('resource borrow count underflow');
        }
        this.#resourceBorrowCount--;
      }
      
      addResourceLender(table, handle) {
        if (this.#resourceScopeExited) {
          throw new Error('cannot add a lender to an exited resource scope');
        }
        this.#resourceLenders.push({ table, handle });
      }
      
      validateResourceBorrowScope() {
        if (this.#resourceScopeExited) { return; }
        if (this.#resourceBorrowCount !== 0) {
          throw new WebAssemblyRuntimeError('borrow handles still remain at the end of the call');
        }
        for (const { table, handle } of this.#resourceLenders) {
          const idx = handle << 1;
          const lendCount = table[idx];
          if (!Number.isInteger(lendCount) || lendCount <= 0 || lendCount >= 2**30) {
            throw new Error('invalid resource lender state at scope exit');
          }
          table[idx] = lendCount - 1;
        }
        this.#resourceLenders = [];
        this.#resourceScopeExited = true;
        RESOURCE_SCOPE_TASKS.delete(this.#resourceScopeId);
      }
      
      completionPromise() { return this.#completionPromise; }
      settleCompletion() { this.#settleCompletionPromise(); }
      exitPromise() { return this.#exitPromise; }
      
      waitForProgress() {
        const { promise, resolve } = promiseWithResolvers();
        this.#progressWaiters.push(resolve);
        return promise;
      }
      
      notifyProgress() {
        const waiters = this.#progressWaiters;
        this.#progressWaiters = [];
        for (const resolve of waiters) { resolve(); }
      }
      
      isAsync() { return this.#isAsync; }
      isManualAsync() { return this.#isManualAsync; }
      isSync() { return !this.isAsync(); }
      
      getErrHandling() { return this.#errHandling; }
      
      hasCallback() { return this.#callbackFn !== null; }
      
      getReturnMemoryIdx() { return this.#memoryIdx; }
      setReturnMemoryIdx(idx) {
        if (idx === null) { return; }
        this.#memoryIdx = idx;
      }
      
      getReturnMemory() { return this.#memory; }
      setReturnMemory(m) {
        if (m === null) { return; }
        this.#memory = m;
      }
      
      setReturnLowerFns(fns) { this.#returnLowerFns = fns; }
      getReturnLowerFns() { return this.#returnLowerFns; }
      
      setCalleeIsAsync(value) {
        if (typeof value !== 'boolean') { throw new TypeError('callee async state must be a boolean'); }
        this.#calleeIsAsync = value;
      }
      
      setParentSubtask(subtask) {
        if (!subtask || !(subtask instanceof AsyncSubtask)) { return }
        if (this.#parentSubtask) { throw new Error('parent subtask can only be set once'); }
        this.#parentSubtask = subtask;
      }
      
      getParentSubtask() { return this.#parentSubtask; }
      
      // TODO(threads): this is very inefficient, we can pass along a root task,
      // and ideally do not need this once thread support is in place
      getRootTask() {
        let currentSubtask = this.getParentSubtask();
        let task = this;
        while (currentSubtask) {
          task = currentSubtask.getParentTask();
          currentSubtask = task.getParentSubtask();
        }
        return task;
      }
      
      setPostReturnFn(f) {
        if (!f) { return; }
        if (this.#postReturnFn) { throw new Error('postReturn fn can only be set once'); }
        this.#postReturnFn = f;
      }
      
      setCallbackFn(f, name) {
        if (!f) { return; }
        if (this.#callbackFn) { throw new Error('callback fn can only be set once'); }
        this.#callbackFn = f;
        this.#callbackFnName = name;
      }
      
      getCallbackFnName() {
        if (!this.#callbackFnName) { return undefined; }
        return this.#callbackFnName;
      }
      
      runCallbackFn(...args) {
        if (!this.#callbackFn) { throw new Error('no callback function has been set for task'); }
        if (this.#callbackFn._jcoMaySuspend === false) {
          return _withGlobalCurrentTaskMeta({
            taskID: this.#id,
            componentIdx: this.#componentIdx,
            fn: () => this.#callbackFn.apply(null, args),
          });
        }
        return _withGlobalCurrentTaskMetaAsync({
          taskID: this.#id,
          componentIdx: this.#componentIdx,
          fn: () => { return this.#callbackFn.apply(null, args); }
        });
      }
      
      getCalleeParams() {
        if (!this.#getCalleeParamsFn) { throw new Error('missing/invalid getCalleeParamsFn'); }
        return this.#getCalleeParamsFn();
      }
      
      // Legacy manually-async exports are sync-typed in the component
      // but use JSPI precisely so their guest stack may suspend.
      mayBlock() { return this.isAsync() || this.isManualAsync() || this.isResolvedState() }
      
      mayEnter(task) {
        const cstate = getOrCreateAsyncState(this.#componentIdx);
        if (cstate.hasBackpressure()) {
          _debugLog('[AsyncTask#mayEnter()] disallowed due to backpressure', { taskID: this.#id });
          return false;
        }
        if (!cstate.callingSyncImport()) {
          _debugLog('[AsyncTask#mayEnter()] disallowed due to sync import call', { taskID: this.#id });
          return false;
        }
        const callingSyncExportWithSyncPending = cstate.callingSyncExport && !task.isAsync;
        if (!callingSyncExportWithSyncPending) {
          _debugLog('[AsyncTask#mayEnter()] disallowed due to sync export w/ sync pending', { taskID: this.#id });
          return false;
        }
        return true;
      }
      
      enterSync() {
        if (this.needsExclusiveLock()) {
          const cstate = getOrCreateAsyncState(this.#componentIdx);
          if (!cstate.isExclusivelyLocked()) {
            cstate.exclusiveLock(this.#id);
          } else {
            // A host-called sync export arriving while another
            // task's slice holds the lock: synchronous entry
            // cannot wait, and historically this entry silently
            // stole the hold. Run without the lock instead --
            // the holder's bookkeeping stays intact and its
            // release still pairs
            this.#lockFreeEntry = true;
            _debugLog('[AsyncTask#enterSync()] entering without exclusive lock', {
              taskID: this.#id,
              componentIdx: this.#componentIdx,
            });
          }
        }
        return true;
      }
      
      tryEnter() {
        if (this.#entered) {
          throw new Error(`task with ID [${this.#id}] should not be entered twice`);
        }
        
        if (this.deliverPendingCancel({ cancellable: true })) {
          this.cancel();
          return false;
        }
        
        const cstate = getOrCreateAsyncState(this.#componentIdx);
        if (this.isSync()) {
          this.#entered = true;
          return true;
        }
        if (cstate.hasBackpressure()) { return null; }
        if (this.needsExclusiveLock()) {
          if (cstate.isExclusivelyLocked()) { return null; }
          cstate.exclusiveLock(this.#id);
        }
        
        if (this.deliverPendingCancel({ cancellable: true })) {
          cstate.exclusiveRelease(this.#id);
          this.cancel();
          return false;
        }
        
        this.#entered = true;
        return true;
      }
      
      async enter(opts) {
        _debugLog('[AsyncTask#enter()] args', {
          taskID: this.#id,
          componentIdx: this.#componentIdx,
          subtaskID: this.getParentSubtask()?.id(),
          args: opts,
          entryFnName: this.#entryFnName,
        });
        
        if (this.#entered) {
          throw new Error(`task with ID [${this.#id}] should not be entered twice`);
        }
        
        // If cancellation was requested before the task was entered, resolve
        // as cancelled without ever running guest code
        if (this.deliverPendingCancel({ cancellable: true })) {
          this.cancel();
          return false;
        }
        
        const cstate = getOrCreateAsyncState(this.#componentIdx);
        
        if (opts?.isHost) {
          this.#entered = true;
          // A guest task may be synchronously blocked in this
          // host entry. Propagate that boundary so an async
          // cancellation driver can yield BLOCKED while the host
          // operation is outstanding.
          const parentTask = this.#parentSubtask?.getParentTask();
          if (
          parentTask?.taskState() === AsyncTask.State.CANCEL_DELIVERED
          || (parentTask && !parentTask.hasCallback())
          ) {
            parentTask.notifyProgress();
          }
          return this.#entered;
        }
        
        // NOTE: concurrent task lifetimes within one component instance are
        // permitted by the Component Model: entry is governed by the
        // backpressure and exclusive-lock checks below (the lock is held per
        // execution slice, not for the task's lifetime).
        //
        // Serializing entire task lifetimes here (the former "execution slot" queue)
        // deadlocks pipelines where a parked long-lived task's progress depends on a
        // later entry into the same component.
        
        // If a task is synchronous then we can avoid component-relevant
        // tracking and immediately enter.
        if (this.isSync()) {
          this.#entered = true;
          
          // TODO(breaking): remove once manually-specifying async fns is removed
          // It is currently possible for an actually sync export to be specified
          // as async via JSPI
          if (this.#isManualAsync) {
            if (this.needsExclusiveLock()) { await cstate.acquireExclusiveLock(this.#id); }
          }
          
          return this.#entered;
        }
        
        // Perform intial backpressure check
        if (cstate.hasBackpressure()) {
          cstate.addBackpressureWaiter();
          
          const result = await this.waitUntil({
            readyFn: () => {
              return !cstate.hasBackpressure();
            },
            cancellable: true,
          });
          
          cstate.removeBackpressureWaiter();
          
          if (!result || this.isCancelled()) {
            if (!this.isResolvedState()) { this.cancel(); }
            return false;
          }
        }
        
        // Acquire the per-slice exclusive lock (FIFO-queued when
        // contended); the first slice runs under this hold and the
        // driver loop releases/re-acquires it per slice thereafter.
        if (this.needsExclusiveLock()) {
          await cstate.acquireExclusiveLock(this.#id);
        }
        
        // Cancellation-before-start may resolve this task while its
        // queued lock acquisition is still pending. Acquiring the lock
        // does not make the already-resolved task runnable again.
        if (this.isResolvedState() || this.isCancelled()) {
          cstate.exclusiveRelease(this.#id);
          return false;
        }
        
        // Cancellation can be requested while entry is waiting for
        // backpressure or its exclusive lock. Do not execute the guest
        // after acquiring a lock for a task that should no longer start.
        if (this.deliverPendingCancel({ cancellable: true })) {
          cstate.exclusiveRelease(this.#id);
          this.cancel();
          return false;
        }
        
        this.#entered = true;
        return this.#entered;
      }
      
      isRunningState() { return this.#state !== AsyncTask.State.RESOLVED; }
      isResolvedState() { return this.#state === AsyncTask.State.RESOLVED; }
      isResolved() { return this.#state === AsyncTask.State.RESOLVED; }
      isExited() { return this.#exited; }
      
      async waitUntil(opts) {
        const { readyFn, cancellable } = opts;
        _debugLog('[AsyncTask#waitUntil()] args', { taskID: this.#id, args: { cancellable } });
        
        // TODO(fix): check for cancel
        // TODO(fix): determinism
        // TODO(threads): add this thread to waiting list
        
        const keepGoing = await this.suspendUntil({
          readyFn,
          cancellable,
        });
        
        return keepGoing;
      }
      
      async yieldUntil(opts) {
        const { readyFn, cancellable } = opts;
        _debugLog('[AsyncTask#yieldUntil()]', {
          taskID: this.#id,
          args: {
            cancellable,
          },
          componentIdx: this.#componentIdx,
        });
        
        // A callback YIELD is an explicit request to let other work run.
        // Unlike waits whose condition is already ready, it must always
        // suspend for at least one scheduler turn.
        const keepGoing = await this.immediateSuspend({ readyFn, cancellable });
        if (keepGoing) {
          return {
            code: ASYNC_EVENT_CODE.NONE,
            payload0: 0,
            payload1: 0,
          };
        }
        
        return {
          code: ASYNC_EVENT_CODE.TASK_CANCELLED,
          payload0: 0,
          payload1: 0,
        };
      }
      
      async suspendUntil(opts) {
        const { cancellable, readyFn } = opts;
        _debugLog('[AsyncTask#suspendUntil()] args', {
          taskID: this.#id,
          args: {
            cancellable,
          },
          componentIdx: this.#componentIdx,
        });
        
        const pendingCancelled = this.deliverPendingCancel({ cancellable });
        if (pendingCancelled) { return false; }
        
        const completed = await this.immediateSuspendUntil({ readyFn, cancellable });
        return completed;
      }
      
      suspendUntilCallback(opts, onResume) {
        const { cancellable, readyFn } = opts;
        if (this.deliverPendingCancel({ cancellable })) {
          onResume(false);
          return;
        }
        
        const cstate = getOrCreateAsyncState(this.#componentIdx);
        cstate.suspendTask({
          task: this,
          cancellable,
          readyFn: () => {
            if (cancellable && this.#state === AsyncTask.State.CANCEL_PENDING) {
              return true;
            }
            return readyFn();
          },
          onResume: (keepGoing) => {
            if (keepGoing && this.deliverPendingCancel({ cancellable })) {
              keepGoing = false;
            }
            onResume(keepGoing);
          },
        });
      }
      
      // TODO(threads): equivalent to thread.suspend_until()
      async immediateSuspendUntil(opts) {
        const { cancellable, readyFn } = opts;
        _debugLog('[AsyncTask#immediateSuspendUntil()] args', {
          args: {
            cancellable,
            readyFn,
          },
          taskID: this.#id,
          componentIdx: this.#componentIdx,
        });
        
        const ready = readyFn();
        if (ready && ASYNC_DETERMINISM === 'random') {
          const coinFlip = _coinFlip();
          if (coinFlip) { return true }
        }
        
        const keepGoing = await this.immediateSuspend({ cancellable, readyFn });
        return keepGoing;
      }
      
      async immediateSuspend(opts) { // NOTE: equivalent to thread.suspend()
      // TODO(threads): store readyFn on the thread
      const { cancellable, readyFn } = opts;
      _debugLog('[AsyncTask#immediateSuspend()] args', { cancellable, readyFn });
      
      const pendingCancelled = this.deliverPendingCancel({ cancellable });
      if (pendingCancelled) { return false; }
      
      const cstate = getOrCreateAsyncState(this.#componentIdx);
      const keepGoing = await cstate.suspendTask({
        task: this,
        cancellable,
        readyFn: () => {
          // A pending cancellation request wakes cancellable waits
          if (cancellable && this.#state === AsyncTask.State.CANCEL_PENDING) {
            return true;
          }
          return readyFn();
        },
      });
      if (keepGoing && this.deliverPendingCancel({ cancellable })) { return false; }
      return keepGoing;
    }
    
    deliverPendingCancel(opts) {
      const { cancellable } = opts;
      _debugLog('[AsyncTask#deliverPendingCancel()]', {
        args: { cancellable },
        taskID: this.#id,
        componentIdx: this.#componentIdx,
      });
      
      if (cancellable && this.#state === AsyncTask.State.CANCEL_PENDING) {
        this.#state = AsyncTask.State.CANCEL_DELIVERED;
        return true;
      }
      
      return false;
    }
    
    isCancelled() { return this.cancelled }
    cancellationRequested() { return this.cancelRequested; }
    
    // Request cooperative cancellation of this task, called on behalf of a
    // supertask performing `subtask.cancel` on the subtask this task backs.
    //
    // The request is delivered at this task's next cancellable wait
    // (see suspendUntil/immediateSuspend), at which point the task is
    // expected to acknowledge via `task.cancel` or still resolve via
    // `task.return`.
    requestCancellation() {
      _debugLog('[AsyncTask#requestCancellation()] args', {
        taskID: this.#id,
        componentIdx: this.#componentIdx,
        state: this.#state,
      });
      if (this.isResolvedState() || this.cancelRequested) { return; }
      this.cancelRequested = true;
      if (this.#state === AsyncTask.State.INITIAL) {
        this.#state = AsyncTask.State.CANCEL_PENDING;
      }
      // Nudge the component's tick loop so that any suspended cancellable
      // wait observes the pending cancellation promptly
      getOrCreateAsyncState(this.#componentIdx).runTickLoop();
    }
    
    cancel(args) {
      _debugLog('[AsyncTask#cancel()] args', { });
      if (this.taskState() !== AsyncTask.State.CANCEL_DELIVERED) {
        throw new Error(`(component [${this.#componentIdx}]) task [${this.#id}] invalid task state [${this.taskState()}] for cancellation`);
      }
      this.validateResourceBorrowScope();
      this.cancelled = true;
      // Cancelled tasks resolve with no value (spec: `Task.cancel` calls
      // `on_resolve(None)`); an explicit error is only present on the
      // host-driven rejection path (see `reject()`).
      this.onResolve(args?.error ?? null);
      this.#state = AsyncTask.State.RESOLVED;
      // A task cancelled before entry has no driver loop that can
      // report its exit. Entered tasks notify after releasing their
      // component slice in `exit()`.
      if (!this.#entered) { this.notifyProgress(); }
    }
    
    onResolve(taskValue) {
      const handlers = this.#onResolveHandlers;
      this.#onResolveHandlers = [];
      for (const f of handlers) {
        try {
          f(taskValue);
        } catch (err) {
          _debugLog("[AsyncTask#onResolve] error during task resolve handler", err);
          throw err;
        }
      }
      
      // Rejections are control-flow failures, not canonical ABI results.
      // Propagate them through the subtask chain without running return
      // lowering or post-return hooks for a successful result.
      if (this.#rejected) {
        this.#parentSubtask?.reject(taskValue);
        return;
      }
      
      // NOTE: if the parent subtask has already been resolved (e.g. it was
      // cancelled via `subtask.cancel` while this task was still pending),
      // this task's resolution must be discarded rather than delivered.
      const parentSubtaskPending = this.#parentSubtask && !this.#parentSubtask.isResolved();
      const taskReturned = !this.isCancelled();
      
      if (parentSubtaskPending && taskReturned) {
        const meta = this.#parentSubtask.getCallMetadata();
        // Run the rturn fn if it has not already been called -- this *should* have happened in
        // `task.return`, but some paths do not go through task.return (e.g. async lower of sync fn
        // which goes through prepare + async-start-call)
        if (meta.returnFn && !meta.returnFnCalled) {
          _debugLog('[AsyncTask#onResolve()] running returnFn', {
            componentIdx: this.#componentIdx,
            taskID: this.#id,
            subtaskID: this.#parentSubtask.id(),
          });
          const callerTask = this.#parentSubtask.getParentTask();
          _withGlobalCurrentTaskMeta({
            taskID: callerTask.id(),
            componentIdx: callerTask.componentIdx(),
            fn: () => meta.returnFn.apply(null, [taskValue, meta.resultPtr]),
          });
          meta.returnFnCalled = true;
        }
      }
      
      if (this.#postReturnFn && taskReturned) {
        _debugLog('[AsyncTask#onResolve()] running post return ', {
          componentIdx: this.#componentIdx,
          taskID: this.#id,
        });
        try {
          _withGlobalCurrentTaskMeta({
            taskID: this.#id,
            componentIdx: this.#componentIdx,
            fn: () => this.#postReturnFn(taskValue),
          });
        } catch (err) {
          _debugLog("[AsyncTask#onResolve] error during task resolve handler", err);
          throw err;
        }
      }
      
      if (parentSubtaskPending) {
        this.#parentSubtask.onResolve(taskValue);
      }
    }
    
    registerOnResolveHandler(f) {
      this.#onResolveHandlers.push(f);
    }
    
    isRejected() { return this.#rejected; }
    
    isErrored() { return this.#errored; }
    setErrored(err) {
      // Preserve the originating trap when unwinding through
      // additional guest frames produces secondary traps (often
      // an `unreachable` after a call which was expected to trap).
      if (this.#errored === null) { this.#errored = err; }
    }
    
    reject(taskErr) {
      _debugLog('[AsyncTask#reject()] args', {
        componentIdx: this.#componentIdx,
        taskID: this.#id,
        parentSubtask: this.#parentSubtask,
        parentSubtaskID: this.#parentSubtask?.id(),
        entryFnName: this.entryFnName(),
        callbackFnName: this.#callbackFnName,
        errMsg: taskErr.message,
      });
      
      this.setErrored(taskErr);
      if (this.#rejected) { return; }
      
      // A task may call `task.return` before its callback exits.
      // A trap in cleanup or spawned work must still reject the
      // host call and poison the enclosing task chain.
      if (this.isResolvedState()) {
        this.#rejected = true;
        this.#errored = taskErr;
        const parentTask = this.#parentSubtask?.getParentTask();
        if (parentTask) { parentTask.reject(taskErr); }
        return;
      }
      
      this.#rejected = true;
      this.cancelRequested = true;
      this.#state = AsyncTask.State.CANCEL_PENDING;
      const cancelled = this.deliverPendingCancel({ cancellable: true });
      
      // TODO: do cleanup here to reset the machinery so we can run again?
      
      this.cancel({ error: taskErr });
    }
    
    resolve(results) {
      _debugLog('[AsyncTask#resolve()] args', {
        componentIdx: this.#componentIdx,
        taskID: this.#id,
        entryFnName: this.entryFnName(),
        callbackFnName: this.#callbackFnName,
      });
      
      if (this.#state === AsyncTask.State.RESOLVED) {
        throw new Error(`(component [${this.#componentIdx}]) task [${this.#id}]  is already resolved (did you forget to wait for an import?)`);
      }
      
      this.validateResourceBorrowScope();
      
      this.#state = AsyncTask.State.RESOLVED;
      
      switch (results.length) {
        case 0:
        this.onResolve(undefined);
        break;
        case 1:
        this.onResolve(results[0]);
        break;
        default:
        _debugLog('[AsyncTask#resolve()] unexpected number of results', {
          componentIdx: this.#componentIdx,
          results,
          taskID: this.#id,
          subtaskID: this.#parentSubtask?.id(),
          entryFnName: this.#entryFnName,
          callbackFnName: this.#callbackFnName,
        });
        throw new Error('unexpected number of results');
      }
    }
    
    exit(args) {
      _debugLog('[AsyncTask#exit()]', {
        componentIdx: this.#componentIdx,
        taskID: this.#id,
      });
      
      if (this.#exited)  { throw new Error("task has already exited"); }
      
      if (this.#state !== AsyncTask.State.RESOLVED) {
        throw new Error(`(component [${this.#componentIdx}]) task [${this.#id}] exited without resolution`);
      }
      
      this.validateResourceBorrowScope();
      
      const state = getOrCreateAsyncState(this.#componentIdx);
      if (!state) { throw new Error('missing async state for component [' + this.#componentIdx + ']'); }
      
      // Exempt the host from exclusive lock check
      if (this.#componentIdx !== -1 && !args?.skipExclusiveLockCheck && !this.#lockFreeEntry) {
        if (this.needsExclusiveLock() && !state.exclusivelyLockedBy(this.#id)) {
          throw new Error(`task [${this.#id}] exit: component [${this.#componentIdx}] should have been exclusively locked by it`);
        }
      }
      
      // Ownership-checked: releases only this task's own hold (a
      // task exiting while another task's slice holds the lock no
      // longer clears the foreign hold).
      state.exclusiveRelease(this.#id);
      this.notifyProgress();
      
      for (const f of this.#onExitHandlers) {
        try {
          f();
        } catch (err) {
          console.error("error during task exit handler", err);
          throw err;
        }
      }
      
      this.#exited = true;
      clearCurrentTask(this.#componentIdx, this.id());
    }
    
    needsExclusiveLock() {
      // Host (-1) tasks model host-side import handling: there is no
      // guest linear memory or executor state to protect, and host
      // calls from unrelated guest components would contend spuriously.
      if (this.#componentIdx === -1) { return false; }
      // Import-handler tasks (CallInterface) run host code nested
      // inside the calling guest slice, which already holds the
      // lock; only tasks that execute guest slices need it.
      if (!this.#callingWasmExport) { return false; }
      // A sync-lifted callee cannot be reentered until the whole
      // stackful call returns. This is the Component Model's
      // automatic-backpressure rule for async-lowered calls.
      return !this.#isAsync || this.hasCallback() || this.#calleeIsAsync === false;
    }
    
    createSubtask(args) {
      _debugLog('[AsyncTask#createSubtask()] args', args);
      const { componentIdx, childTask, callMetadata, fnName, isAsync, isManualAsync } = args;
      
      const cstate = getOrCreateAsyncState(this.#componentIdx);
      if (!cstate) {
        throw new Error(`invalid/missing async state for component idx [${componentIdx}]`);
      }
      
      const waitable = new Waitable({
        componentIdx: this.#componentIdx,
        target: `subtask (internal ID [${this.#id}])`,
      });
      
      const newSubtask = new AsyncSubtask({
        componentIdx,
        childTask,
        parentTask: this,
        callMetadata,
        isAsync,
        isManualAsync,
        fnName,
        waitable,
      });
      this.#subtasks.push(newSubtask);
      newSubtask.setTarget(`subtask (internal ID [${newSubtask.id()}], waitable [${waitable.idx()}], component [${componentIdx}])`);
      waitable.setIdx(cstate.handles.insert(newSubtask));
      waitable.setTarget(`waitable for subtask (waitable id [${waitable.idx()}], subtask internal ID [${newSubtask.id()}])`);
      return newSubtask;
    }
    
    getLatestSubtask() {
      return this.#subtasks.at(-1);
    }
    
    getSubtaskByWaitableRep(rep) {
      if (rep === undefined) { throw new TypeError('missing rep'); }
      return this.#subtasks.find(s => s.waitableRep() === rep);
    }
    
    currentSubtask() {
      _debugLog('[AsyncTask#currentSubtask()]');
      if (this.#subtasks.length === 0) { return undefined; }
      return this.#subtasks.at(-1);
    }
    
    removeSubtask(subtask) {
      if (this.#subtasks.length === 0) {
        throw new Error('cannot end current subtask: no current subtask');
      }
      this.#subtasks = this.#subtasks.filter(t => t !== subtask);
      return subtask;
    }
  }
  
  function createNewCurrentTask(args) {
    _debugLog('[createNewCurrentTask()] args', args);
    const {
      componentIdx,
      isAsync,
      isManualAsync,
      preserveFutureResult,
      entryFnName,
      parentSubtaskID,
      callbackFnName,
      getCallbackFn,
      getParamsFn,
      stringEncoding,
      errHandling,
      getCalleeParamsFn,
      resultPtr,
      callingWasmExport,
    } = args;
    if (componentIdx === undefined || componentIdx === null) {
      throw new Error('missing/invalid component instance index while starting task');
    }
    let taskMetas = ASYNC_TASKS_BY_COMPONENT_IDX.get(componentIdx);
    const callbackFn = getCallbackFn ? getCallbackFn() : null;
    
    const newTask = new AsyncTask({
      componentIdx,
      isAsync,
      isManualAsync,
      preserveFutureResult,
      entryFnName,
      callbackFn,
      callbackFnName,
      stringEncoding,
      getCalleeParamsFn,
      resultPtr,
      errHandling,
      callingWasmExport,
    });
    
    const newTaskID = newTask.id();
    const newTaskMeta = { id: newTaskID, componentIdx, task: newTask };
    
    // NOTE: do not track host tasks
    ASYNC_CURRENT_TASK_IDS.push(newTaskID);
    ASYNC_CURRENT_COMPONENT_IDXS.push(componentIdx);
    
    if (!taskMetas) {
      taskMetas = [newTaskMeta];
      ASYNC_TASKS_BY_COMPONENT_IDX.set(componentIdx, [newTaskMeta]);
    } else {
      taskMetas.push(newTaskMeta);
    }
    
    return [newTask, newTaskID];
  }
  
  function _checkMayLeave(componentIdx) {
    if (INSTANCE_FLAGS.get(componentIdx)?.value !== 1) {
      throw new WebAssemblyRuntimeError('cannot leave component instance');
    }
  }
  
  function _getGlobalCurrentTaskMeta(componentIdx) {
    const v = componentIdx === undefined || componentIdx === null
    ? CURRENT_TASK_META.current
    : CURRENT_TASK_META[componentIdx];
    if (v === undefined || v === null) {
      return undefined;
    }
    return { ...v };
  }
  
  
  function _setGlobalCurrentTaskMeta(args) {
    if (!args) { throw new TypeError('args missing'); }
    if (args.taskID === undefined) { throw new TypeError('missing task ID'); }
    if (args.componentIdx === undefined) { throw new TypeError('missing component idx'); }
    const { taskID, componentIdx } = args;
    return CURRENT_TASK_META.current =
    CURRENT_TASK_META[componentIdx] = { taskID, componentIdx };
  }
  
  
  async function _clearCurrentTask(args) {
    _debugLog('[_clearCurrentTask()] args', args);
    if (!args) { throw new TypeError('args missing'); }
    if (args.taskID === undefined) { throw new TypeError('missing task ID'); }
    if (args.componentIdx === undefined) { throw new TypeError('missing component idx'); }
    const { taskID, componentIdx } = args;
    
    const meta = CURRENT_TASK_META[componentIdx];
    if (!meta) { throw new Error(`missing current task meta for component idx [${componentIdx}]`); }
    
    if (meta.taskID !== taskID) {
      throw new Error(`task ID [${meta.taskID}] != requested ID [${taskID}]`);
    }
    if (meta.componentIdx !== componentIdx) {
      throw new Error(`component idx [${meta.componentIdx}] != requested idx [${componentIdx}]`);
    }
    
    CURRENT_TASK_META[componentIdx] = null;
    if (CURRENT_TASK_META.current?.taskID === taskID) {
      CURRENT_TASK_META.current = null;
    }
  }
  
  function _lowerImportBackwardsCompat(args) {
    const params = [...arguments].slice(1);
    _debugLog('[_lowerImportBackwardsCompat()] args', { args, params });
    const {
      functionIdx,
      componentIdx,
      isAsync,
      isManualAsync,
      paramLiftFns,
      resultLowerFns,
      hasResultPointer,
      funcTypeIsAsync,
      metadata,
      memoryIdx,
      getMemoryFn,
      getReallocFn,
      importFn,
      stringEncoding,
    } = args;
    
    _checkMayLeave(componentIdx);
    
    let meta = _getGlobalCurrentTaskMeta(componentIdx);
    let createdTask;
    
    // Some components depend on initialization logic (i.e. `_initialize` or some such
    // core wasm export) that is embedded in the component, but is not executed or wizer'd
    // away before the transpiled component is attempted to be used.
    //
    // These components execut their initialization logic *when they are imported* in the
    // transpiled context -- so we may get a call to an export that is lowered without going
    // through `CallWasm` or `CallInterface`.
    //
    if (!meta) {
      if (funcTypeIsAsync || (isAsync && !isManualAsync)) {
        throw new Error('p3 async wasm exports cannot use backwards compat auto-task init');
      }
      
      const [newTask, newTaskID] = createNewCurrentTask({
        componentIdx,
        isAsync,
        isManualAsync,
        callingWasmExport: false,
      });
      createdTask = newTask;
      
      // Since we're managing the task creation ourselves we must clear ourselves
      createdTask.registerOnResolveHandler(() => {
        _clearCurrentTask({
          taskID: task.id(),
          componentIdx: task.componentIdx(),
        });
      });
      
      _setGlobalCurrentTaskMeta({
        componentIdx,
        taskID: newTaskID,
      });
      
      meta = _getGlobalCurrentTaskMeta(componentIdx);
    }
    
    const { taskID } = meta;
    
    const taskMeta = getCurrentTask(componentIdx, taskID);
    if (!taskMeta) {
      throw new Error('invalid/missing async task meta');
    }
    
    const task = taskMeta.task;
    if (!task) { throw new Error('invalid/missing async task'); }
    
    const cstate = getOrCreateAsyncState(componentIdx);
    
    if (!task.mayBlock() && funcTypeIsAsync && !isAsync) {
      throw new Error("non async exports cannot synchronously call async functions");
    }
    
    // If there is an existing task, this should be part of a subtask
    const memory = getMemoryFn();
    // Canonical ABI lower appends result storage as a trailing
    // param when async lower has any flat result, or sync lower
    // has more than one flat result.
    const resultPtr = hasResultPointer ? params[params.length - 1] : undefined;
    const subtask = task.createSubtask({
      componentIdx,
      parentTask: task,
      fnName: importFn.fnName,
      isAsync,
      isManualAsync,
      callMetadata: {
        memoryIdx,
        memory,
        realloc: getReallocFn?.(),
        getReallocFn,
        resultPtr,
        lowers: resultLowerFns,
        funcTypeIsAsync,
        stringEncoding,
      }
    });
    task.setReturnMemoryIdx(memoryIdx);
    task.setReturnMemory(getMemoryFn());
    
    subtask.onStart();
    
    // If dealing with a sync lowered sync function, we can directly return results
    //
    // TODO(breaking): remove once we get rid of manual async import specification,
    // as func types cannot be detected in that case only (and we don't need that w/ p3)
    if (!isManualAsync && !isAsync && !funcTypeIsAsync) {
      if (createdTask) { createdTask.enterSync(); }
      
      const res = importFn(...params);
      
      // TODO(breaking): remove once we get rid of manual async import specification,
      // as func types cannot be detected in that case only (and we don't need that w/ p3)
      if (!funcTypeIsAsync && !subtask.isReturned()) {
        throw new Error('post-execution subtasks must either be async or returned');
      }
      
      const syncRes = subtask.getResult();
      if (createdTask) { createdTask.resolve([syncRes]); }
      
      return syncRes;
    }
    
    // Sync-lowered async functions requires async behavior because the callee *can* block,
    // but this call must *act* synchronously and return immediately with the result
    // (i.e. not returning until the work is done)
    //
    // TODO(breaking): remove checking for manual async specification here, once we can go p3-only
    //
    if (!isManualAsync && !isAsync && funcTypeIsAsync) {
      const { promise, resolve, reject } = promiseWithResolvers();
      queueMicrotask(async () => {
        try {
          await importFn(...params);
          if (!subtask.isResolved()) {
            await task.suspendUntil({ readyFn: () => subtask.isResolved() });
          }
          resolve(subtask.getResult());
        } catch (err) {
          reject(err);
        }
      });
      return promise;
    }
    
    // NOTE: at this point we know that we are working with an async lowered import
    
    const subtaskState = subtask.getStateNumber();
    if (subtaskState < 0 || subtaskState >= 2**4) {
      throw new Error('invalid subtask state, out of valid range');
    }
    
    subtask.setOnProgressFn(() => {
      subtask.setPendingEvent(() => {
        if (subtask.isResolved()) { subtask.deliverResolve(); }
        const event = {
          code: ASYNC_EVENT_CODE.SUBTASK,
          payload0: subtask.waitableRep(),
          payload1: subtask.getStateNumber(),
        }
        return event;
      });
    });
    
    // This is a hack to maintain backwards compatibility with
    // manually-specified async imports, used in wasm exports that are
    // not actually async (but are specified as so).
    //
    // This is not normal p3 sync behavior but instead anticipating that
    // the caller that is doing manual async will be waiting for a promise that
    // resolves to the *actual* result.
    //
    // TODO(breaking): remove once manually specified async is removed
    //
    // There are a few cases:
    // 1. sync function with async types (e.g. `f: func() -> stream<u32>`)
    // 2. async function with async types (e.g. `f: async func() -> stream<u32>`)
    // 3. async function with sync types (e.g. `f: async func() -> list<u32>`)
    // 4. sync function with non-async types (e.g. `f: func() -> list<u32>`)
    //
    // This hack *only* applies to 4 -- the case where an async JS host function
    // is supplied to a Wasm export which does *not* need to do any async abi
    // lifting/lowering (async ABI did not exist when JSPI integratiton was
    // initially merged to enable asynchronously returning values from the host)
    //
    const requiresManualAsyncResult = !isAsync && !funcTypeIsAsync && isManualAsync;
    let manualAsyncResult;
    if (requiresManualAsyncResult) {
      manualAsyncResult = promiseWithResolvers();
    }
    
    queueMicrotask(async () => {
      try {
        _debugLog('[_lowerImportBackwardsCompat()] calling lowered import', { importFn, params });
        if (createdTask) { await createdTask.enter(); }
        
        const asyncRes = await importFn(...params);
        if (requiresManualAsyncResult) {
          manualAsyncResult.resolve(subtask.getResult());
        }
        
        if (createdTask) { createdTask.resolve([asyncRes]); }
        
        
      } catch (err) {
        _debugLog("[_lowerImportBackwardsCompat()] import fn error:", err);
        if (requiresManualAsyncResult) {
          manualAsyncResult.reject(err);
          return;
        }
        task.setErrored(err);
        task.reject(err);
      }
    });
    
    if (requiresManualAsyncResult) { return manualAsyncResult.promise; }
    
    _debugLog('[_lowerImportBackwardsCompat()] async-lowered import return', {
      fnName: importFn.fnName,
      componentIdx,
      subtaskID: subtask.id(),
      waitableRep: subtask.waitableRep(),
      subtaskState,
      packedResult: Number(subtask.waitableRep()) << 4 | subtaskState,
    });
    
    return Number(subtask.waitableRep()) << 4 | subtaskState;
  }
  
  const CURRENT_TASK_MAY_BLOCK= globalThis.WebAssembly ? new globalThis.WebAssembly.Global({ value: 'i32', mutable: true }, 0) : false;
  
  
  function _liftFlatU8(ctx) {
    _debugLog('[_liftFlatU8()] args', { ctx });
    let val;
    
    if (ctx.useDirectParams) {
      if (ctx.params.length === 0) { throw new Error('expected at least a single i32 argument'); }
      val = ctx.params[0];
      ctx.params = ctx.params.slice(1);
      return [val, ctx];
    }
    
    if (ctx.storageLen !== undefined && ctx.storageLen < 1) {
      throw new Error(`insufficient storage ([${ctx.storageLen}] bytes) for lift (u8 requires 1 byte)`);
    }
    
    val = new DataView(ctx.memory.buffer).getUint8(ctx.storagePtr, true);
    
    ctx.storagePtr += 1;
    if (ctx.storageLen !== undefined) { ctx.storageLen -= 1; }
    
    return [val, ctx];
  }
  
  
  function _liftFlatU16(ctx) {
    _debugLog('[_liftFlatU16()] args', { ctx });
    let val;
    
    if (ctx.useDirectParams) {
      if (ctx.params.length === 0) { throw new Error('expected at least a single i32 argument'); }
      val = ctx.params[0];
      ctx.params = ctx.params.slice(1);
      return [val, ctx];
    }
    
    if (ctx.storageLen !== undefined && ctx.storageLen < 2) {
      throw new Error(`insufficient storage ([${ctx.storageLen}] bytes) for lift (u16 requires 2 bytes)`);
    }
    
    val = new DataView(ctx.memory.buffer).getUint16(ctx.storagePtr, true);
    
    ctx.storagePtr += 2;
    if (ctx.storageLen !== undefined) { ctx.storageLen -= 2; }
    
    const rem = ctx.storagePtr % 2;
    if (rem !== 0) { ctx.storagePtr += (2 - rem); }
    
    return [val, ctx];
  }
  
  
  function _liftFlatU32(ctx) {
    _debugLog('[_liftFlatU32()] args', { ctx });
    let val;
    
    if (ctx.useDirectParams) {
      if (ctx.params.length === 0) { throw new Error('expected at least a single i34 argument'); }
      // core i32 values arrive as signed numbers
      val = ctx.params[0] >>> 0;
      ctx.params = ctx.params.slice(1);
      return [val, ctx];
    }
    
    if (ctx.storageLen !== undefined && ctx.storageLen < 4) {
      throw new Error(`insufficient storage ([${ctx.storageLen}] bytes) for lift (u32 requires 4 bytes)`);
    }
    val = new DataView(ctx.memory.buffer).getUint32(ctx.storagePtr, true);
    ctx.storagePtr += 4;
    if (ctx.storageLen !== undefined) { ctx.storageLen -= 4; }
    
    return [val, ctx];
  }
  
  
  function _liftFlatU64(ctx) {
    _debugLog('[_liftFlatU64()] args', { ctx });
    let val;
    
    if (ctx.useDirectParams) {
      if (ctx.params.length === 0) { throw new Error('expected at least one single i64 argument'); }
      if (typeof ctx.params[0] !== 'bigint') { throw new Error('expected bigint'); }
      // core i64 values arrive as signed BigInts
      val = BigInt.asUintN(64, ctx.params[0]);
      ctx.params = ctx.params.slice(1);
      return [val, ctx];
    }
    
    if (ctx.storageLen !== undefined && ctx.storageLen < 8) {
      throw new Error(`insufficient storage ([${ctx.storageLen}] bytes) for lift (u64 requires 8 bytes)`);
    }
    
    val = new DataView(ctx.memory.buffer).getBigUint64(ctx.storagePtr, true);
    ctx.storagePtr += 8;
    if (ctx.storageLen !== undefined) { ctx.storageLen -= 8; }
    
    return [val, ctx];
  }
  
  
  function _liftFlatStringUTF8(ctx) {
    _debugLog('[_liftFlatStringUTF8()] args', { ctx });
    let val;
    
    if (ctx.useDirectParams) {
      if (ctx.params.length < 2) { throw new Error('expected at least two u32 arguments'); }
      let offset = ctx.params[0];
      if (typeof offset === 'bigint') { offset = Number(offset); }
      if (!Number.isSafeInteger(offset)) { throw new Error('invalid offset'); }
      const len = ctx.params[1];
      if (!Number.isSafeInteger(len)) {  throw new Error('invalid len'); }
      val = TEXT_DECODER_UTF8.decode(new DataView(ctx.memory.buffer, offset, len));
      ctx.params = ctx.params.slice(2);
      return [val, ctx];
    }
    
    const rem = ctx.storagePtr % 4;
    if (rem !== 0) { ctx.storagePtr += (4 - rem); }
    
    const dv = new DataView(ctx.memory.buffer);
    const start = dv.getUint32(ctx.storagePtr, true);
    const codeUnits = dv.getUint32(ctx.storagePtr + 4, true);
    
    val = TEXT_DECODER_UTF8.decode(new Uint8Array(ctx.memory.buffer, start, codeUnits));
    
    ctx.storagePtr += 8;
    if (ctx.storageLen !== undefined) { ctx.storagelen -= 8; }
    
    return [val, ctx];
  }
  
  function _liftFlatStringUTF16(ctx) {
    _debugLog('[_liftFlatStringUTF16()] args', { ctx });
    let val;
    
    if (ctx.useDirectParams) {
      if (ctx.params.length < 2) { throw new Error('expected at least two u32 arguments'); }
      let offset = ctx.params[0];
      if (typeof offset === 'bigint') { offset = Number(offset); }
      if (!Number.isSafeInteger(offset)) {  throw new Error('invalid offset'); }
      const len = ctx.params[1];
      if (!Number.isSafeInteger(len)) {  throw new Error('invalid len'); }
      val = utf16Decoder.decode(new DataView(ctx.memory.buffer, offset, len));
      ctx.params = ctx.params.slice(2);
      return [val, ctx];
    }
    
    const data = new DataView(ctx.memory.buffer)
    const start = data.getUint32(ctx.storagePtr, vals[0], true);
    const codeUnits = data.getUint32(ctx.storagePtr, vals[0] + 4, true);
    val = utf16Decoder.decode(new Uint16Array(ctx.memory.buffer, start, codeUnits));
    ctx.storagePtr = ctx.storagePtr + 2 * codeUnits;
    if (ctx.storageLen !== undefined) { ctx.storageLen = ctx.storageLen - 2 * codeUnits }
    
    return [val, ctx];
  }
  
  function _liftFlatStringAny(ctx) {
    switch (ctx.stringEncoding) {
      case 'utf8':
      return _liftFlatStringUTF8(ctx);
      case 'utf16':
      return _liftFlatStringUTF16(ctx);
      default:
      throw new Error(`missing/unrecognized/unsupported string encoding [${ctx.stringEncoding}]`);
    }
  }
  
  const _liftFlatVariantScratch = new DataView(new ArrayBuffer(8));
  
  function _liftFlatVariant(meta) {
    const {
      caseMetas,
      variantSize32,
      variantAlign32,
      variantPayloadOffset32,
      variantFlatCount,
      variantPayloadFlatTypes,
      isEnum,
    } = meta;
    
    return function _liftFlatVariantInner(ctx) {
      _debugLog('[_liftFlatVariant()] args', { ctx });
      const origUseParams = ctx.useDirectParams;
      
      let caseIdx;
      let liftRes;
      const originalPtr = ctx.storagePtr;
      const numCases =  caseMetas.length;
      if (caseMetas.length < 256) {
        liftRes = _liftFlatU8(ctx);
      } else if (numCases >= 256 && numCases < 65536) {
        liftRes = _liftFlatU16(ctx);
      } else if (numCases >= 65536 && numCases < 4_294_967_296) {
        liftRes = _liftFlatU32(ctx);
      } else {
        throw new Error(`unsupported number of variant cases [${numCases}]`);
      }
      caseIdx = liftRes[0];
      ctx = liftRes[1];
      
      const [
      tag,
      liftFn,
      caseSize32,
      caseAlign32,
      caseFlatCount,
      caseFlatTypes,
      ] = caseMetas[caseIdx];
      
      if (variantPayloadOffset32 === undefined) {
        throw new Error('unexpectedly missing payload offset');
      }
      
      if (originalPtr !== undefined) {
        ctx.storagePtr = originalPtr + variantPayloadOffset32;
      }
      
      let val;
      if (liftFn === null) {
        val = { tag };
        // NOTE: here we need to move past the entire object in memory
        // despite moving to the payload which we now know is missing/unnecessary
        if (originalPtr !== undefined) {
          ctx.storagePtr = originalPtr + variantSize32;
        }
      } else {
        // When lifting from direct params, the payload arrives as the
        // *join* of all case flat representations: each slot whose
        // joined core type differs from the selected case's core type
        // must be reinterpreted before the payload lift
        // (see CanonicalABI `lift_flat_variant`)
        if (ctx.useDirectParams) {
          if (!variantPayloadFlatTypes || !caseFlatTypes) {
            throw new Error('missing variant flat type metadata during direct-param lift');
          }
          const scratch = _liftFlatVariantScratch;
          for (let i = 0; i < caseFlatTypes.length; i++) {
            const have = variantPayloadFlatTypes[i];
            const want = caseFlatTypes[i];
            if (have === want) { continue; }
            const val = ctx.params[i];
            if (have === 'i64' && want === 'i32') {
              ctx.params[i] = Number(BigInt.asIntN(32, val));
            } else if (have === 'i64' && want === 'f32') {
              scratch.setInt32(0, Number(BigInt.asIntN(32, val)), true);
              ctx.params[i] = scratch.getFloat32(0, true);
            } else if (have === 'i64' && want === 'f64') {
              scratch.setBigInt64(0, val, true);
              ctx.params[i] = scratch.getFloat64(0, true);
            } else if (have === 'i32' && want === 'f32') {
              scratch.setInt32(0, val, true);
              ctx.params[i] = scratch.getFloat32(0, true);
            } else {
              throw new Error(`invalid variant payload coercion [${have}] -> [${want}]`);
            }
          }
        }
        
        const [newVal, newCtx] = liftFn(ctx);
        val = { tag, val: newVal };
        ctx = newCtx;
      }
      
      if (origUseParams) {
        if (variantFlatCount === undefined || variantFlatCount === null) {
          _debugLog('[_liftFlatVariant()] variant with unknown flat count', { ctx, meta });
          throw new Error('cannot lift variant with unknown flat count');
        }
        if (caseFlatCount === undefined || caseFlatCount === null) {
          _debugLog('[_liftFlatVariant()] case with unknown flat count', { ctx, meta, case: meta.caseMetas[caseIdx] });
          throw new Error('cannot lift case with unknown flat count');
        }
        // NOTE: enums can be tightly packed and do not have a descriminant
        const remainingPayloadParams = variantFlatCount - caseFlatCount - (isEnum ? 0 : 1);
        if (remainingPayloadParams < 0) {
          throw new Error(`invalid variant flat count metadata`);
        }
        if (ctx.params.length < remainingPayloadParams) {
          throw new Error(`expected at least [${remainingPayloadParams}] remaining variant payload params, but got [${ctx.params.length}]`);
        }
        ctx.params = ctx.params.slice(remainingPayloadParams);
      }
      
      if (ctx.storagePtr !== undefined) {
        const rem = ctx.storagePtr % variantAlign32;
        if (rem !== 0) { ctx.storagePtr += variantAlign32 - rem; }
      }
      
      return [val, ctx];
    }
  }
  
  function _liftFlatList(meta) {
    const { elemLiftFn, elemSize32, elemAlign32, knownLen, typedArray } = meta;
    
    const listValue =
    typedArray === undefined
    ? values => values
    : values => new typedArray(values);
    
    const readValuesAndReset = (ctx, originalPtr, originalLen, dataPtr, len) => {
      if (dataPtr % elemAlign32 !== 0) {
        throw new TypeError(`list pointer [${dataPtr}] is not aligned to ${elemAlign32}`);
      }
      ctx.storagePtr = dataPtr;
      const val = [];
      for (var i = 0; i < len; i++) {
        const elemPtr = dataPtr + i * elemSize32;
        ctx.storagePtr = elemPtr;
        const [res, nextCtx] = elemLiftFn(ctx);
        val.push(res);
        ctx = nextCtx;
        
        ctx.storagePtr = Math.max(ctx.storagePtr, elemPtr + elemSize32);
      }
      if (originalPtr !== null) { ctx.storagePtr = originalPtr; }
      if (originalLen !== null) { ctx.storageLen = originalLen; }
      return [listValue(val), ctx];
    };
    
    return function _liftFlatListInner(ctx) {
      _debugLog('[_liftFlatList()] args', { ctx });
      
      let liftResults;
      if (knownLen !== undefined) { // list with known length
      if (ctx.useDirectParams) {
        _debugLog('memory unexpectedly missing while lifting unknown length list', { ctx });
        liftResults = [listValue(ctx.params.slice(0, knownLen)), ctx];
        ctx.params = ctx.params.slice(knownLen);
      } else { // indirect params
      if (ctx.memory === null) {
        _debugLog('memory unexpectedly missing while lifting known length list', { knownLen, ctx });
        throw new Error(`memory missing while lifting known length (${knownLen}) list`);
      }
      
      const originalLen = ctx.storageLen;
      const originalPtr = ctx.storagePtr;
      
      ctx.storageLen = knownLen * elemSize32;
      liftResults = readValuesAndReset(ctx, null, originalLen, ctx.storagePtr, knownLen);
    }
    
  } else { // unknown length list
  
  if (ctx.useDirectParams) {
    // unknown length list ptr w/ direct params
    const dataPtr = ctx.params[0];
    const len = ctx.params[1];
    ctx.params = ctx.params.slice(2);
    
    ctx.useDirectParams = false;
    const originalPtr = ctx.storagePtr;
    const originalLen = ctx.storageLen;
    ctx.storageLen = len * elemSize32;
    
    liftResults = readValuesAndReset(ctx, originalPtr, originalLen, dataPtr, len);
    
    ctx.useDirectParams = true;
  } else {
    // unknown length list ptr w/ in-memory params
    const originalLen = ctx.storageLen;
    ctx.storageLen = 8;
    
    const dataPtrLiftRes = _liftFlatU32(ctx);
    const dataPtr = dataPtrLiftRes[0];
    ctx = dataPtrLiftRes[1];
    
    const lenLiftRes = _liftFlatU32(ctx);
    const len = lenLiftRes[0];
    ctx = lenLiftRes[1];
    
    const originalPtr = ctx.storagePtr;
    ctx.storagePtr = dataPtr;
    
    ctx.storageLen = len * elemSize32;
    liftResults = readValuesAndReset(ctx, originalPtr, originalLen, dataPtr, len);
  }
}

return liftResults;
}
}

function _liftFlatTuple(meta) {
  const { elemLiftFns, size32: tupleSize32, align32: tupleAlign32 } = meta;
  return function _liftFlatTupleInner(ctx) {
    _debugLog('[_liftFlatTuple()] args', { ctx });
    
    const originalPtr = ctx.storagePtr;
    const val = [];
    for (const [ liftFn, size32, align32 ]  of elemLiftFns) {
      let elemPtr;
      if (ctx.storagePtr !== undefined) {
        const rem = ctx.storagePtr % align32;
        if (rem !== 0) { ctx.storagePtr += align32 - rem; }
        elemPtr = ctx.storagePtr;
      }
      
      // As in _liftFlatRecord: an element occupies exactly size32
      // bytes of the tuple's flat storage, so capture and restore
      // the storage budget around the element lift to stop a
      // field's internal storageLen use (e.g. lists) leaking into
      // the next element.
      // See https://github.com/bytecodealliance/jco/issues/1585.
      let elemLen;
      if (ctx.storageLen !== undefined) { elemLen = ctx.storageLen; }
      
      const [newValue, newCtx] = liftFn(ctx);
      val.push(newValue);
      ctx = newCtx;
      
      if (elemPtr !== undefined) {
        ctx.storagePtr = Math.max(ctx.storagePtr, elemPtr + size32);
      }
      if (elemLen !== undefined) {
        ctx.storageLen = elemLen - size32;
      }
    }
    
    if (originalPtr !== undefined) {
      ctx.storagePtr = Math.max(ctx.storagePtr, originalPtr + tupleSize32);
    }
    
    if (ctx.storagePtr !== undefined) {
      const rem = ctx.storagePtr % tupleAlign32;
      if (rem !== 0) { ctx.storagePtr += tupleAlign32 - rem; }
    }
    
    return [val, ctx];
  }
}

function _liftFlatOption(meta) {
  const { payloadMaybeNull } = meta;
  const f = _liftFlatVariant(meta);
  return function _liftFlatOptionInner(ctx) {
    _debugLog('[_liftFlatOption()] args', { ctx });
    const res = f(ctx);
    if (!payloadMaybeNull) {
      res[0] = res[0].tag === 'none' ? undefined : res[0].val;
    }
    return res;
  }
}

function _liftFlatOwn(meta) {
  const { classNameFn, createResourceFn, componentIdx, tableIdx } = meta;
  
  return function _liftFlatOwnInner(ctx) {
    _debugLog('[_liftFlatOwn()] args', { ctx, className: classNameFn() });
    
    if (ctx.componentIdx !== componentIdx) {
      throw new Error('invalid component for resource lift');
    }
    
    const [handle, newCtx] = _liftFlatU32(ctx);
    const resource = ctx.liftResource
    ? ctx.liftResource(handle, tableIdx)
    : createResourceFn(handle);
    
    return [resource, newCtx];
  }
}

function _liftFlatBorrow(componentTableIdx, size, memory, vals, storagePtr, storageLen) {
  _debugLog('[_liftFlatBorrow()] args', { size, memory, vals, storagePtr, storageLen });
  throw new Error('flat lift for borrowed resources is not supported!');
}


function _lowerFlatBool(ctx) {
  _debugLog('[_lowerFlatBool()] args', { ctx });
  
  if (!ctx.memory) { throw new Error("missing memory for lower"); }
  if (ctx.vals.length !== 1) {
    throw new Error(`unexpected number [${ctx.vals.length}] of vals (expected 1)`);
  }
  
  _requireValidNumericPrimitive.bind('bool', ctx.vals[0]);
  new DataView(ctx.memory.buffer).setUint8(ctx.storagePtr, ctx.vals[0] ? 1 : 0);
  
  ctx.storagePtr += 1;
}

function _lowerFlatU8(ctx) {
  _debugLog('[_lowerFlatU8()] args', ctx);
  
  if (ctx.vals.length !== 1) {
    throw new Error(`unexpected number [${ctx.vals.length}] of vals (expected 1)`);
  }
  
  _requireValidNumericPrimitive.bind('u8', ctx.vals[0]);
  
  if (!ctx.memory) { throw new Error("missing memory for lower"); }
  new DataView(ctx.memory.buffer).setUint8(ctx.storagePtr, ctx.vals[0]);
  
  ctx.storagePtr += 1;
}

function _lowerFlatU16(ctx) {
  _debugLog('[_lowerFlatU16()] args', { ctx });
  
  if (!ctx.memory) { throw new Error("missing memory for lower"); }
  if (ctx.vals.length !== 1) {
    throw new Error(`unexpected number [${ctx.vals.length}] of vals (expected 1)`);
  }
  
  const rem = ctx.storagePtr % 2;
  if (rem !== 0) { ctx.storagePtr += (2 - rem); }
  
  _requireValidNumericPrimitive.bind('u16', ctx.vals[0]);
  new DataView(ctx.memory.buffer).setUint16(ctx.storagePtr, ctx.vals[0], true);
  
  ctx.storagePtr += 2;
}

function _lowerFlatU32(ctx) {
  _debugLog('[_lowerFlatU32()] args', { ctx });
  
  if (ctx.vals.length !== 1) {
    throw new Error(`expected single value to lower, got [${ctx.vals.length}]`);
  }
  
  const rem = ctx.storagePtr % 4;
  if (rem !== 0) { ctx.storagePtr += (4 - rem); }
  
  _requireValidNumericPrimitive.bind('u32', ctx.vals[0]);
  new DataView(ctx.memory.buffer).setUint32(ctx.storagePtr, ctx.vals[0], true);
  
  ctx.storagePtr += 4;
}

function _lowerFlatU64(ctx) {
  _debugLog('[_lowerFlatU64()] args', { ctx });
  
  if (ctx.vals.length !== 1) { throw new Error('unexpected number of vals'); }
  
  const rem = ctx.storagePtr % 8;
  if (rem !== 0) { ctx.storagePtr += (8 - rem); }
  
  _requireValidNumericPrimitive.bind('u64', ctx.vals[0]);
  new DataView(ctx.memory.buffer).setBigUint64(ctx.storagePtr, ctx.vals[0], true);
  
  ctx.storagePtr += 8;
}

function _lowerFlatStringUTF8(ctx) {
  _debugLog('[_lowerFlatStringUTF8()] args', ctx);
  if (!ctx.realloc) { throw new Error('missing realloc during flat string lower'); }
  
  const { ptr, len } = _utf8AllocateAndEncode(ctx.vals[0], ctx.realloc, ctx.memory);
  
  const view = new DataView(ctx.memory.buffer);
  view.setUint32(ctx.storagePtr, ptr, true);
  view.setUint32(ctx.storagePtr + 4, len, true);
  
  ctx.storagePtr += 8;
}

function _lowerFlatStringUTF16(ctx) {
  _debugLog('[_lowerFlatStringUTF16()] args', { ctx });
  if (!ctx.realloc) { throw new Error('missing realloc during flat string lower'); }
  
  const { ptr, len } = _utf16AllocateAndEncode(ctx.vals[0], ctx.realloc, ctx.memory);
  
  const view = new DataView(ctx.memory.buffer);
  view.setUint32(ctx.storagePtr, ptr, true);
  view.setUint32(ctx.storagePtr + 4, len, true);
  
  ctx.storagePtr += 8;
}

function _lowerFlatStringAny(ctx) {
  switch (ctx.stringEncoding) {
    case 'utf8':
    return _lowerFlatStringUTF8(ctx);
    case 'utf16':
    return _lowerFlatStringUTF16(ctx);
    default:
    throw new Error(`missing/unrecognized/unsupported string encoding [${ctx.stringEncoding}]`);
  }
}

function _lowerFlatRecord(meta) {
  const { fieldMetas, size32: recordSize32, align32: recordAlign32 } = meta;
  return function _lowerFlatRecordInner(ctx) {
    _debugLog('[_lowerFlatRecord()] args', { ctx });
    
    const originalPtr = ctx.storagePtr;
    const r = ctx.vals[0];
    for (const [tag, lowerFn, size32, align32 ] of fieldMetas) {
      const rem = ctx.storagePtr % align32;
      if (rem !== 0) { ctx.storagePtr += align32 - rem; }
      
      const fieldPtr = ctx.storagePtr;
      ctx.vals = [r[tag]];
      lowerFn(ctx);
      
      ctx.storagePtr = Math.max(ctx.storagePtr, fieldPtr + size32);
    }
    
    ctx.storagePtr = Math.max(ctx.storagePtr, originalPtr + recordSize32);
    
    const rem = ctx.storagePtr % recordAlign32;
    if (rem !== 0) {
      ctx.storagePtr += recordAlign32 - rem;
    }
  }
}

function _lowerFlatVariant(meta) {
  const { variantSize32, variantAlign32, variantPayloadOffset32, caseMetas } = meta;
  
  let caseLookup = {};
  for (const [idx, meta] of caseMetas.entries()) {
    let tag = meta[0];
    caseLookup[tag] = { discriminant: idx, meta };
  }
  
  return function _lowerFlatVariantInner(ctx) {
    _debugLog('[_lowerFlatVariant()] args', { ctx });
    
    const { tag, val } = ctx.vals[0];
    const variantCase = caseLookup[tag];
    if (!variantCase) {
      throw new Error(`missing tag [${tag}] (valid tags: ${Object.keys(caseLookup)})`);
    }
    
    const [ _tag, lowerFn, caseSize32, caseAlign32, caseFlatCount ] = variantCase.meta;
    
    const originalPtr = ctx.storagePtr;
    ctx.vals = [variantCase.discriminant];
    let discLowerRes;
    if (caseMetas.length < 256) {
      discLowerRes = _lowerFlatU8(ctx);
    } else if (caseMetas.length >= 256 && caseMetas.length < 65536) {
      discLowerRes = _lowerFlatU16(ctx);
    } else if (caseMetas.length >= 65536 && caseMetas.length < 4_294_967_296) {
      discLowerRes = _lowerFlatU32(ctx);
    } else {
      throw new Error(`unsupported number of cases [${caseMetas.length}]`);
    }
    
    const payloadOffsetPtr = originalPtr + variantPayloadOffset32;
    ctx.storagePtr = payloadOffsetPtr;
    ctx.vals = [val];
    if (lowerFn) { lowerFn(ctx); }
    
    ctx.storagePtr = Math.max(ctx.storagePtr, originalPtr + variantSize32);
    
    const rem = ctx.storagePtr % variantAlign32;
    if (rem !== 0) { ctx.storagePtr += variantAlign32 - rem; }
  }
}

function _lowerFlatList(meta) {
  const {
    elemLowerFn,
    knownLen,
    size32,
    align32,
    elemSize32,
    elemAlign32,
  } = meta;
  
  if (!elemLowerFn) { throw new TypeError("missing/invalid element lower fn for list"); }
  
  return function _lowerFlatListInner(ctx) {
    _debugLog('[_lowerFlatList()] args', { ctx });
    
    if (ctx.useDirectParams) {
      if (ctx.params.length < 2) { throw new Error('insufficient params left to lower list'); }
      const storagePtr = ctx.params[0];
      const elemCount = ctx.params[1];
      ctx.params = ctx.params.slice(2);
      
      const list = ctx.vals[0];
      if (!list) { throw new Error("missing direct param value"); }
      
      const lowerCtx = {
        storagePtr,
        memory: ctx.memory,
        stringEncoding: ctx.stringEncoding,
      };
      for (let idx = 0; idx < list.length; idx++) {
        const elemPtr = storagePtr + idx * elemSize32;
        lowerCtx.storagePtr = elemPtr;
        lowerCtx.vals = list.slice(idx, idx+1);
        elemLowerFn(lowerCtx);
        lowerCtx.storagePtr = Math.max(lowerCtx.storagePtr, elemPtr + elemSize32);
      }
      ctx.storagePtr = lowerCtx.storagePtr;
      
      // TODO: implement parma-only known-length processing
      
      return;
    }
    
    // TODO(fix): is it possible to get a vals that are a addr and length here from
    // a component lower?
    
    const elems = ctx.vals[0];
    if (knownLen === undefined) {
      // unknown length
      if (!ctx.realloc) { throw new Error('missing realloc during flat string lower'); }
      const dataPtr = ctx.realloc(0, 0, elemAlign32, elemSize32 * elems.length);
      
      ctx.vals[0] = dataPtr;
      _lowerFlatU32(ctx);
      
      ctx.vals[0] = elems.length;
      _lowerFlatU32(ctx);
      
      const origPtr = ctx.storagePtr;
      ctx.storagePtr = dataPtr;
      
      for (const [idx, elem] of elems.entries()) {
        const elemPtr = dataPtr + idx * elemSize32;
        ctx.storagePtr = elemPtr;
        ctx.vals = [elem];
        elemLowerFn(ctx);
        ctx.storagePtr = Math.max(ctx.storagePtr, elemPtr + elemSize32);
      }
      
      ctx.storagePtr = origPtr;
      
    } else {
      // known length
      
      if (elems.length !== knownLen) {
        throw new TypeError(`invalid list input of length [${elems.length}], must be length [${knownLen}]`);
      }
      
      const originalPtr = ctx.storagePtr;
      for (const [idx, elem] of elems.entries()) {
        const elemPtr = originalPtr + idx * elemSize32;
        ctx.storagePtr = elemPtr;
        ctx.vals = [elem];
        elemLowerFn(ctx);
        ctx.storagePtr = Math.max(ctx.storagePtr, elemPtr + elemSize32);
      }
    }
    
    // TODO(fix): special case for u8/u16/etc, we can do a direct copy
    
    const totalSizeBytes = elems.length * size32;
    if (ctx.storageLen !== undefined && totalSizeBytes > ctx.storageLen) {
      throw new Error('not enough storage remaining for list flat lower');
    }
  }
}

function _lowerFlatTuple(meta) {
  const { elemLowerMetas, size32: tupleSize32, align32: tupleAlign32 } = meta;
  return function _lowerFlatTupleInner(ctx) {
    _debugLog('[_lowerFlatTuple()] args', { ctx });
    const originalPtr = ctx.storagePtr;
    const tuple = ctx.vals[0];
    for (const [idx, [ lowerFn, size32, align32 ]]  of elemLowerMetas.entries()) {
      const rem = ctx.storagePtr % align32;
      if (rem !== 0) { ctx.storagePtr += align32 - rem; }
      
      const elemPtr = ctx.storagePtr;
      ctx.vals = [tuple[idx]];
      lowerFn(ctx);
      ctx.storagePtr = Math.max(ctx.storagePtr, elemPtr + size32);
    }
    
    ctx.storagePtr = Math.max(ctx.storagePtr, originalPtr + tupleSize32);
    
    const rem = ctx.storagePtr % tupleAlign32;
    if (rem !== 0) {
      ctx.storagePtr += tupleAlign32 - rem;
    }
  }
}

function _lowerFlatOption(meta) {
  const { payloadMaybeNull } = meta;
  const f = _lowerFlatVariant(meta);
  return function _lowerFlatOptionInner(ctx) {
    _debugLog('[_lowerFlatOption()] args', { ctx });
    
    const v = ctx.vals[0];
    if (v === null || v === undefined) {
      ctx.vals[0] = { tag: 'none' };
    } else if (payloadMaybeNull) {
      const isNotOptionObject = typeof v !== 'object'
      || Object.keys(v).length !== 2
      || !('tag' in v)
      || !(v.tag === 'some' || v.tag === 'none')
      || !('val' in v);
      if (isNotOptionObject) {
        ctx.vals[0] = { tag: 'some', val: v };
      }
    } else {
      ctx.vals[0] = { tag: 'some', val: v };
    }
    
    f(ctx);
  }
}

function _lowerFlatResult(meta) {
  const f = _lowerFlatVariant(meta);
  return function _lowerFlatResultInner(ctx) {
    _debugLog('[_lowerFlatResult()] args', { ctx });
    
    const v = ctx.vals[0];
    const isNotResultObject = typeof v !== 'object'
    || Object.keys(v).length !== 2
    || !('tag' in v)
    || !('ok' === v.tag || 'err' === v.tag)
    || !('val' in v);
    if (isNotResultObject) {
      ctx.vals[0] = { tag: 'ok', val: v };
    }
    
    f(ctx);
  };
}

function _lowerFlatOwn(meta) {
  const { lowerFn, componentIdx, tableIdx } = meta;
  
  return function _lowerFlatOwnInner(ctx) {
    _debugLog('[_lowerFlatOwn()] args', { ctx });
    const { createFn } = ctx;
    
    if (ctx.componentIdx !== componentIdx) {
      throw new Error(`component index mismatch (expected [${componentIdx}], lift called from [${ctx.componentIdx}])`);
    }
    
    const obj = ctx.vals[0];
    if (obj === undefined || obj === null) { throw new Error('missing resource'); }
    const handle = ctx.lowerResource
    ? ctx.lowerResource(obj, tableIdx)
    : lowerFn(obj);
    
    ctx.vals[0] = handle;
    _lowerFlatU32(ctx);
  };
}

function _trackHostOperation(operation) {
  const result = operation();
  if (result === null ||
  (typeof result !== 'object' && typeof result !== 'function') ||
  typeof result.then !== 'function') {
    return result;
  }
  
  STORE_ASYNC_STATE.pendingHostOperations++;
  return Promise.resolve(result).finally(() => {
    STORE_ASYNC_STATE.pendingHostOperations--;
    if (STORE_ASYNC_STATE.pendingHostOperations < 0) {
      throw new Error('negative pending host operation count');
    }
    for (const state of ASYNC_STATE.values()) { state.runTickLoop(); }
    _checkForDeadlock();
  });
}

function _guardMayLeave(componentIdx, fn) {
  return function (...args) {
    _checkMayLeave(componentIdx);
    return fn.apply(this, args);
  };
}

function clampGuest(i, min, max) {
  if (i < min || i > max) {
    throw new TypeError(`must be between ${min} and ${max}`);
  }
  return i;
}


const symbolCabiDispose = Symbol.for('cabiDispose');

const symbolRscHandle = Symbol('handle');

const symbolRscRep = Symbol.for('cabiRep');
const symbolDispose = Symbol.dispose || Symbol.for('dispose');

const HANDLE_TABLES= [];


const hasOwnProperty = Object.prototype.hasOwnProperty;

function getErrorPayload(e) {
  if (e && hasOwnProperty.call(e, 'payload')) return e.payload;
  if (e instanceof Error) throw e;
  return e;
}

function _suspendingImport(componentIdx, fn, syncOnly = false, switchesTask = false) {
  return function (...args) {
    _checkMayLeave(componentIdx);
    const saved = CURRENT_TASK_META[componentIdx] ?? null;
    
    const savedTask = saved
    ? getCurrentTask(saved.componentIdx, saved.taskID)?.task
    : null;
    const mayBlock = savedTask
    ? (savedTask?.mayBlock() ?? (CURRENT_TASK_MAY_BLOCK.value !== 0))
    : false;
    if (!saved && !mayBlock) {
      throw new WebAssemblyRuntimeError('cannot block a synchronous task before returning');
    }
    
    if (syncOnly || !mayBlock) {
      let result;
      try {
        result = fn.apply(null, args);
      } catch (err) {
        CURRENT_TASK_META[componentIdx] = saved;
        if (!switchesTask) { CURRENT_TASK_META.current = saved; }
        throw err;
      }
      
      CURRENT_TASK_META[componentIdx] = saved;
      if (!switchesTask) { CURRENT_TASK_META.current = saved; }
      
      if (result !== null &&
      (typeof result === 'object' || typeof result === 'function') &&
      typeof result.then === 'function') {
        // The helper may already have returned a rejected promise.
        // Mark it handled before replacing it with the canonical
        // synchronous-task trap.
        Promise.resolve(result).catch(() => {});
        throw new WebAssemblyRuntimeError('cannot block a synchronous task before returning');
      }
      return result;
    }
    
    return (async () => {
      try {
        return await fn.apply(null, args);
      } finally {
        CURRENT_TASK_META[componentIdx] = saved;
        if (!switchesTask) { CURRENT_TASK_META.current = saved; }
      }
    })();
  };
}


const module0 = getCoreModule('plugin.core.wasm');
const module1 = getCoreModule('plugin.core2.wasm');
const module2 = getCoreModule('plugin.core3.wasm');

const { getEnvironment } = imports['wasi:cli/environment'];

if (getEnvironment=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'getEnvironment', was 'getEnvironment' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}

const { now, subscribeDuration, subscribeInstant } = imports['wasi:clocks/monotonic-clock'];

if (now=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'now', was 'now' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (subscribeDuration=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'subscribeDuration', was 'subscribeDuration' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (subscribeInstant=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'subscribeInstant', was 'subscribeInstant' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}

const { handle } = imports['wasi:http/outgoing-handler'];

if (handle=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'handle', was 'handle' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}

const { Fields, FutureIncomingResponse, IncomingBody, IncomingResponse, OutgoingBody, OutgoingRequest, RequestOptions, httpErrorCode } = imports['wasi:http/types'];

if (Fields=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'Fields', was 'Fields' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (FutureIncomingResponse=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'FutureIncomingResponse', was 'FutureIncomingResponse' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (IncomingBody=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'IncomingBody', was 'IncomingBody' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (IncomingResponse=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'IncomingResponse', was 'IncomingResponse' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (OutgoingBody=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'OutgoingBody', was 'OutgoingBody' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (OutgoingRequest=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'OutgoingRequest', was 'OutgoingRequest' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (RequestOptions=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'RequestOptions', was 'RequestOptions' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (httpErrorCode=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'httpErrorCode', was 'httpErrorCode' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}

const { Error: Error$1 } = imports['wasi:io/error'];

if (Error$1=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'Error$1', was 'Error' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}

const { Pollable, poll } = imports['wasi:io/poll'];

if (Pollable=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'Pollable', was 'Pollable' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (poll=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'poll', was 'poll' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}

const { InputStream, OutputStream } = imports['wasi:io/streams'];

if (InputStream=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'InputStream', was 'InputStream' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (OutputStream=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'OutputStream', was 'OutputStream' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}

let gen= (function* _initGenerator () {
  const instanceFlags0 = new WebAssembly.Global({ value: "i32", mutable: true }, 1);
  INSTANCE_FLAGS.set(0, instanceFlags0);
  let exports0;
  
  const handleTable4 = [T_FLAG, 0];
  handleTable4._createdReps = new Set();
  handleTable4._componentIdx = 0;
  
  
  const captureTable4= new Map();
  let captureCnt4= 0;
  
  HANDLE_TABLES[4] = handleTable4;
  
  const handleTable5 = [T_FLAG, 0];
  handleTable5._createdReps = new Set();
  handleTable5._componentIdx = 0;
  
  
  const captureTable5= new Map();
  let captureCnt5= 0;
  
  HANDLE_TABLES[5] = handleTable5;
  
  const _trampoline0 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable4[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable4.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Fields.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    else {
      captureTable4.delete(rep2);
    }
    rscTableRemove(handleTable4, handle1);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[constructor]outgoing-request"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'new OutgoingRequest',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => new OutgoingRequest(rsc0)),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    
    if (!(ret instanceof OutgoingRequest)) {
      throw new TypeError('Resource error: Not a valid \"OutgoingRequest\" resource.');
    }
    var handle3 = ret[symbolRscHandle];
    if (!handle3) {
      const rep = ret[symbolRscRep] || ++captureCnt5;
      captureTable5.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable5, rep);
    }
    
    _debugLog('[iface="wasi:http/types@0.2.0", function="[constructor]outgoing-request"][Instruction::Return]', {
      funcName: '[constructor]outgoing-request',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([handle3]);
    task.exit();
    return handle3;
  }
  _trampoline0.fnName = 'wasi:http/types@0.2.0#new OutgoingRequest';
  
  const handleTable2 = [T_FLAG, 0];
  handleTable2._createdReps = new Set();
  handleTable2._componentIdx = 0;
  
  
  const captureTable2= new Map();
  let captureCnt2= 0;
  
  HANDLE_TABLES[2] = handleTable2;
  
  const handleTable0 = [T_FLAG, 0];
  handleTable0._createdReps = new Set();
  handleTable0._componentIdx = 0;
  
  
  const captureTable0= new Map();
  let captureCnt0= 0;
  
  HANDLE_TABLES[0] = handleTable0;
  
  const _trampoline1 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable2[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable2.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutputStream.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:io/streams@0.2.0", function="[method]output-stream.subscribe"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'subscribe',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.subscribe()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    
    if (!(ret instanceof Pollable)) {
      throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
    }
    var handle3 = ret[symbolRscHandle];
    if (!handle3) {
      const rep = ret[symbolRscRep] || ++captureCnt0;
      captureTable0.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable0, rep);
    }
    
    _debugLog('[iface="wasi:io/streams@0.2.0", function="[method]output-stream.subscribe"][Instruction::Return]', {
      funcName: '[method]output-stream.subscribe',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([handle3]);
    task.exit();
    return handle3;
  }
  _trampoline1.fnName = 'wasi:io/streams@0.2.0#subscribe';
  
  const handleTable8 = [T_FLAG, 0];
  handleTable8._createdReps = new Set();
  handleTable8._componentIdx = 0;
  
  
  const captureTable8= new Map();
  let captureCnt8= 0;
  
  HANDLE_TABLES[8] = handleTable8;
  
  const _trampoline2 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable8[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable8.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(IncomingResponse.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-response.status"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'status',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.status()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-response.status"][Instruction::Return]', {
      funcName: '[method]incoming-response.status',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([toUint16(ret)]);
    task.exit();
    return toUint16(ret);
  }
  _trampoline2.fnName = 'wasi:http/types@0.2.0#status';
  
  const _trampoline3 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable8[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable8.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(IncomingResponse.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-response.headers"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'headers',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.headers()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    
    if (!(ret instanceof Fields)) {
      throw new TypeError('Resource error: Not a valid \"Headers\" resource.');
    }
    var handle3 = ret[symbolRscHandle];
    if (!handle3) {
      const rep = ret[symbolRscRep] || ++captureCnt4;
      captureTable4.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable4, rep);
    }
    
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-response.headers"][Instruction::Return]', {
      funcName: '[method]incoming-response.headers',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([handle3]);
    task.exit();
    return handle3;
  }
  _trampoline3.fnName = 'wasi:http/types@0.2.0#headers';
  
  const handleTable3 = [T_FLAG, 0];
  handleTable3._createdReps = new Set();
  handleTable3._componentIdx = 0;
  
  
  const captureTable3= new Map();
  let captureCnt3= 0;
  
  HANDLE_TABLES[3] = handleTable3;
  
  const _trampoline4 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable3[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable3.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(InputStream.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:io/streams@0.2.0", function="[method]input-stream.subscribe"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'subscribe',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.subscribe()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    
    if (!(ret instanceof Pollable)) {
      throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
    }
    var handle3 = ret[symbolRscHandle];
    if (!handle3) {
      const rep = ret[symbolRscRep] || ++captureCnt0;
      captureTable0.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable0, rep);
    }
    
    _debugLog('[iface="wasi:io/streams@0.2.0", function="[method]input-stream.subscribe"][Instruction::Return]', {
      funcName: '[method]input-stream.subscribe',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([handle3]);
    task.exit();
    return handle3;
  }
  _trampoline4.fnName = 'wasi:io/streams@0.2.0#subscribe';
  
  const _trampoline10 = function() {
    _debugLog('[iface="wasi:clocks/monotonic-clock@0.2.0", function="now"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'now',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => now()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    _debugLog('[iface="wasi:clocks/monotonic-clock@0.2.0", function="now"][Instruction::Return]', {
      funcName: 'now',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([toUint64(ret)]);
    task.exit();
    return toUint64(ret);
  }
  _trampoline10.fnName = 'wasi:clocks/monotonic-clock@0.2.0#now';
  
  const _trampoline11 = function(arg0) {
    _debugLog('[iface="wasi:clocks/monotonic-clock@0.2.0", function="subscribe-duration"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'subscribeDuration',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => subscribeDuration(BigInt.asUintN(64, BigInt(arg0)))),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    
    if (!(ret instanceof Pollable)) {
      throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
    }
    var handle0 = ret[symbolRscHandle];
    if (!handle0) {
      const rep = ret[symbolRscRep] || ++captureCnt0;
      captureTable0.set(rep, ret);
      handle0 = rscTableCreateOwn(handleTable0, rep);
    }
    
    _debugLog('[iface="wasi:clocks/monotonic-clock@0.2.0", function="subscribe-duration"][Instruction::Return]', {
      funcName: 'subscribe-duration',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([handle0]);
    task.exit();
    return handle0;
  }
  _trampoline11.fnName = 'wasi:clocks/monotonic-clock@0.2.0#subscribeDuration';
  
  const _trampoline12 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable0.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Pollable.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:io/poll@0.2.0", function="[method]pollable.block"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'block',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.block()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    _debugLog('[iface="wasi:io/poll@0.2.0", function="[method]pollable.block"][Instruction::Return]', {
      funcName: '[method]pollable.block',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline12.fnName = 'wasi:io/poll@0.2.0#block';
  
  const _trampoline14 = function(arg0) {
    _debugLog('[iface="wasi:clocks/monotonic-clock@0.2.0", function="subscribe-instant"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'subscribeInstant',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => subscribeInstant(BigInt.asUintN(64, BigInt(arg0)))),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    
    if (!(ret instanceof Pollable)) {
      throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
    }
    var handle0 = ret[symbolRscHandle];
    if (!handle0) {
      const rep = ret[symbolRscRep] || ++captureCnt0;
      captureTable0.set(rep, ret);
      handle0 = rscTableCreateOwn(handleTable0, rep);
    }
    
    _debugLog('[iface="wasi:clocks/monotonic-clock@0.2.0", function="subscribe-instant"][Instruction::Return]', {
      funcName: 'subscribe-instant',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([handle0]);
    task.exit();
    return handle0;
  }
  _trampoline14.fnName = 'wasi:clocks/monotonic-clock@0.2.0#subscribeInstant';
  
  const _trampoline16 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable0.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Pollable.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:io/poll@0.2.0", function="[method]pollable.ready"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'ready',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.ready()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    _debugLog('[iface="wasi:io/poll@0.2.0", function="[method]pollable.ready"][Instruction::Return]', {
      funcName: '[method]pollable.ready',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([ret ? 1 : 0]);
    task.exit();
    return ret ? 1 : 0;
  }
  _trampoline16.fnName = 'wasi:io/poll@0.2.0#ready';
  
  const handleTable7 = [T_FLAG, 0];
  handleTable7._createdReps = new Set();
  handleTable7._componentIdx = 0;
  
  
  const captureTable7= new Map();
  let captureCnt7= 0;
  
  HANDLE_TABLES[7] = handleTable7;
  
  const _trampoline20 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable7[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable7.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(FutureIncomingResponse.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]future-incoming-response.subscribe"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'subscribe',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.subscribe()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    
    if (!(ret instanceof Pollable)) {
      throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
    }
    var handle3 = ret[symbolRscHandle];
    if (!handle3) {
      const rep = ret[symbolRscRep] || ++captureCnt0;
      captureTable0.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable0, rep);
    }
    
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]future-incoming-response.subscribe"][Instruction::Return]', {
      funcName: '[method]future-incoming-response.subscribe',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([handle3]);
    task.exit();
    return handle3;
  }
  _trampoline20.fnName = 'wasi:http/types@0.2.0#subscribe';
  let exports1;
  let memory0;
  let realloc0;
  let realloc0Async;
  
  const _trampoline21 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable4[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable4.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Fields.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    var ptr3 = arg1;
    var len3 = arg2;
    var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr3, len3));
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]fields.get"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'get',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.get(result3)),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var vec5 = ret;
    var len5 = vec5.length;
    var result5 = realloc0(0, 0, 4, len5 * 8);
    for (let i = 0; i < vec5.length; i++) {
      const e = vec5[i];
      const base = result5 + i * 8;var val4 = e;
      var len4 = Array.isArray(val4) ? val4.length : val4.byteLength;
      var ptr4 = realloc0(0, 0, 1, len4 * 1);
      
      let valData4;
      const valLenBytes4 = len4 * 1;
      if (Array.isArray(val4)) {
        // Regular array likely containing numbers, write values to memory
        let offset = 0;
        const dv4 = new DataView(memory0.buffer);
        for (const v of val4) {
          _requireValidNumericPrimitive.bind(null, 'u8')(v);
          dv4.setUint8(ptr4+ offset, v, true);
          offset += 1;
        }
      } else {
        // TypedArray / ArrayBuffer-like, direct copy
        valData4 = new Uint8Array(val4.buffer || val4, val4.byteOffset, valLenBytes4);
        const out4 = new Uint8Array(memory0.buffer, ptr4, valLenBytes4);
        out4.set(valData4);
      }
      
      dataView(memory0).setUint32(base + 4, len4, true);
      dataView(memory0).setUint32(base + 0, ptr4, true);
    }
    dataView(memory0).setUint32(arg3 + 4, len5, true);
    dataView(memory0).setUint32(arg3 + 0, result5, true);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]fields.get"][Instruction::Return]', {
      funcName: '[method]fields.get',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline21.fnName = 'wasi:http/types@0.2.0#get';
  
  const _trampoline22 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable5[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable5.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingRequest.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    let variant4;
    switch (arg1) {
      case 0: {
        variant4= {
          tag: 'get',
        };
        break;
      }
      case 1: {
        variant4= {
          tag: 'head',
        };
        break;
      }
      case 2: {
        variant4= {
          tag: 'post',
        };
        break;
      }
      case 3: {
        variant4= {
          tag: 'put',
        };
        break;
      }
      case 4: {
        variant4= {
          tag: 'delete',
        };
        break;
      }
      case 5: {
        variant4= {
          tag: 'connect',
        };
        break;
      }
      case 6: {
        variant4= {
          tag: 'options',
        };
        break;
      }
      case 7: {
        variant4= {
          tag: 'trace',
        };
        break;
      }
      case 8: {
        variant4= {
          tag: 'patch',
        };
        break;
      }
      case 9: {
        var ptr3 = arg2;
        var len3 = arg3;
        var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr3, len3));
        variant4= {
          tag: 'other',
          val: result3
        };
        break;
      }
      default: {
        throw new TypeError('invalid variant discriminant for Method');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-request.set-method"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'setMethod',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet5 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.setMethod(variant4)),
      })
      ;
      ret = hostRet5 !== null && typeof hostRet5 === 'object' && (hostRet5.tag === 'ok' || hostRet5.tag === 'err')
      ? hostRet5
      : { tag: 'ok', val: hostRet5};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant6 = ret;
    let variant6_0;
    switch (variant6.tag) {
      case 'ok': {
        const e = variant6.val;
        variant6_0 = 0;
        
        break;
      }
      case 'err': {
        const e = variant6.val;
        variant6_0 = 1;
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant6, valueType: typeof variant6});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-request.set-method"][Instruction::Return]', {
      funcName: '[method]outgoing-request.set-method',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([variant6_0]);
    task.exit();
    return variant6_0;
  }
  _trampoline22.fnName = 'wasi:http/types@0.2.0#setMethod';
  
  const _trampoline23 = function(arg0, arg1, arg2, arg3, arg4) {
    var handle1 = arg0;
    
    var rep2 = handleTable5[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable5.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingRequest.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    let variant5;
    switch (arg1) {
      case 0: {
        variant5 = undefined;
        break;
      }
      case 1: {
        let variant4;
        switch (arg2) {
          case 0: {
            variant4= {
              tag: 'HTTP',
            };
            break;
          }
          case 1: {
            variant4= {
              tag: 'HTTPS',
            };
            break;
          }
          case 2: {
            var ptr3 = arg3;
            var len3 = arg4;
            var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr3, len3));
            variant4= {
              tag: 'other',
              val: result3
            };
            break;
          }
          default: {
            throw new TypeError('invalid variant discriminant for Scheme');
          }
        }
        variant5 = variant4;
        break;
      }
      default: {
        throw new TypeError('invalid variant discriminant for option');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-request.set-scheme"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'setScheme',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet6 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.setScheme(variant5)),
      })
      ;
      ret = hostRet6 !== null && typeof hostRet6 === 'object' && (hostRet6.tag === 'ok' || hostRet6.tag === 'err')
      ? hostRet6
      : { tag: 'ok', val: hostRet6};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant7 = ret;
    let variant7_0;
    switch (variant7.tag) {
      case 'ok': {
        const e = variant7.val;
        variant7_0 = 0;
        
        break;
      }
      case 'err': {
        const e = variant7.val;
        variant7_0 = 1;
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant7, valueType: typeof variant7});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-request.set-scheme"][Instruction::Return]', {
      funcName: '[method]outgoing-request.set-scheme',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([variant7_0]);
    task.exit();
    return variant7_0;
  }
  _trampoline23.fnName = 'wasi:http/types@0.2.0#setScheme';
  
  const _trampoline24 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable5[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable5.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingRequest.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    let variant4;
    switch (arg1) {
      case 0: {
        variant4 = undefined;
        break;
      }
      case 1: {
        var ptr3 = arg2;
        var len3 = arg3;
        var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr3, len3));
        variant4 = result3;
        break;
      }
      default: {
        throw new TypeError('invalid variant discriminant for option');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-request.set-authority"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'setAuthority',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet5 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.setAuthority(variant4)),
      })
      ;
      ret = hostRet5 !== null && typeof hostRet5 === 'object' && (hostRet5.tag === 'ok' || hostRet5.tag === 'err')
      ? hostRet5
      : { tag: 'ok', val: hostRet5};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant6 = ret;
    let variant6_0;
    switch (variant6.tag) {
      case 'ok': {
        const e = variant6.val;
        variant6_0 = 0;
        
        break;
      }
      case 'err': {
        const e = variant6.val;
        variant6_0 = 1;
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant6, valueType: typeof variant6});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-request.set-authority"][Instruction::Return]', {
      funcName: '[method]outgoing-request.set-authority',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([variant6_0]);
    task.exit();
    return variant6_0;
  }
  _trampoline24.fnName = 'wasi:http/types@0.2.0#setAuthority';
  
  const _trampoline25 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable5[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable5.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingRequest.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    let variant4;
    switch (arg1) {
      case 0: {
        variant4 = undefined;
        break;
      }
      case 1: {
        var ptr3 = arg2;
        var len3 = arg3;
        var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr3, len3));
        variant4 = result3;
        break;
      }
      default: {
        throw new TypeError('invalid variant discriminant for option');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-request.set-path-with-query"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'setPathWithQuery',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet5 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.setPathWithQuery(variant4)),
      })
      ;
      ret = hostRet5 !== null && typeof hostRet5 === 'object' && (hostRet5.tag === 'ok' || hostRet5.tag === 'err')
      ? hostRet5
      : { tag: 'ok', val: hostRet5};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant6 = ret;
    let variant6_0;
    switch (variant6.tag) {
      case 'ok': {
        const e = variant6.val;
        variant6_0 = 0;
        
        break;
      }
      case 'err': {
        const e = variant6.val;
        variant6_0 = 1;
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant6, valueType: typeof variant6});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-request.set-path-with-query"][Instruction::Return]', {
      funcName: '[method]outgoing-request.set-path-with-query',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([variant6_0]);
    task.exit();
    return variant6_0;
  }
  _trampoline25.fnName = 'wasi:http/types@0.2.0#setPathWithQuery';
  
  const handleTable6 = [T_FLAG, 0];
  handleTable6._createdReps = new Set();
  handleTable6._componentIdx = 0;
  
  
  const captureTable6= new Map();
  let captureCnt6= 0;
  
  HANDLE_TABLES[6] = handleTable6;
  
  const _trampoline26 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable5[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable5.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingRequest.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-request.body"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'body',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet3 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.body()),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant5 = ret;
    switch (variant5.tag) {
      case 'ok': {
        const e = variant5.val;
        dataView(memory0).setInt8(arg1 + 0, 0, true);
        
        if (!(e instanceof OutgoingBody)) {
          throw new TypeError('Resource error: Not a valid \"OutgoingBody\" resource.');
        }
        var handle4 = e[symbolRscHandle];
        if (!handle4) {
          const rep = e[symbolRscRep] || ++captureCnt6;
          captureTable6.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable6, rep);
        }
        
        dataView(memory0).setInt32(arg1 + 4, handle4, true);
        
        break;
      }
      case 'err': {
        const e = variant5.val;
        dataView(memory0).setInt8(arg1 + 0, 1, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant5, valueType: typeof variant5});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-request.body"][Instruction::Return]', {
      funcName: '[method]outgoing-request.body',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline26.fnName = 'wasi:http/types@0.2.0#body';
  
  const _trampoline27 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable6[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable6.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingBody.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-body.write"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'write',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet3 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.write()),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant5 = ret;
    switch (variant5.tag) {
      case 'ok': {
        const e = variant5.val;
        dataView(memory0).setInt8(arg1 + 0, 0, true);
        
        if (!(e instanceof OutputStream)) {
          throw new TypeError('Resource error: Not a valid \"OutputStream\" resource.');
        }
        var handle4 = e[symbolRscHandle];
        if (!handle4) {
          const rep = e[symbolRscRep] || ++captureCnt2;
          captureTable2.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable2, rep);
        }
        
        dataView(memory0).setInt32(arg1 + 4, handle4, true);
        
        break;
      }
      case 'err': {
        const e = variant5.val;
        dataView(memory0).setInt8(arg1 + 0, 1, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant5, valueType: typeof variant5});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-body.write"][Instruction::Return]', {
      funcName: '[method]outgoing-body.write',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline27.fnName = 'wasi:http/types@0.2.0#write';
  
  const _trampoline28 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable6[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable6.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingBody.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    else {
      captureTable6.delete(rep2);
    }
    rscTableRemove(handleTable6, handle1);
    let variant6;
    switch (arg1) {
      case 0: {
        variant6 = undefined;
        break;
      }
      case 1: {
        var handle4 = arg2;
        
        var rep5 = handleTable4[(handle4 << 1) + 1] & ~T_FLAG;
        var rsc3 = captureTable4.get(rep5);
        if (!rsc3) {
          rsc3 = Object.create(Fields.prototype);
          Object.defineProperty(rsc3, symbolRscHandle, { writable: true, value: handle4});
          Object.defineProperty(rsc3, symbolRscRep, { writable: true, value: rep5});
        }
        
        else {
          captureTable4.delete(rep5);
        }
        rscTableRemove(handleTable4, handle4);
        variant6 = rsc3;
        break;
      }
      default: {
        throw new TypeError('invalid variant discriminant for option');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[static]outgoing-body.finish"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'OutgoingBody.finish',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet7 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => OutgoingBody.finish(rsc0, variant6)),
      })
      ;
      ret = hostRet7 !== null && typeof hostRet7 === 'object' && (hostRet7.tag === 'ok' || hostRet7.tag === 'err')
      ? hostRet7
      : { tag: 'ok', val: hostRet7};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    var variant46 = ret;
    switch (variant46.tag) {
      case 'ok': {
        const e = variant46.val;
        dataView(memory0).setInt8(arg3 + 0, 0, true);
        
        break;
      }
      case 'err': {
        const e = variant46.val;
        dataView(memory0).setInt8(arg3 + 0, 1, true);
        var variant45 = e;
        switch (variant45.tag) {
          case 'DNS-timeout': {
            dataView(memory0).setInt8(arg3 + 8, 0, true);
            break;
          }
          case 'DNS-error': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 1, true);
            var {rcode: v8_0, infoCode: v8_1 } = e;
            var variant10 = v8_0;
            if (variant10 === null || variant10=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant10;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr9= encodeRes.ptr;
              var len9 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len9, true);
              dataView(memory0).setUint32(arg3 + 20, ptr9, true);
            }
            var variant11 = v8_1;
            if (variant11 === null || variant11=== undefined) {
              dataView(memory0).setInt8(arg3 + 28, 0, true);
            } else {
              const e = variant11;
              dataView(memory0).setInt8(arg3 + 28, 1, true);
              dataView(memory0).setInt16(arg3 + 30, toUint16(e), true);
            }
            break;
          }
          case 'destination-not-found': {
            dataView(memory0).setInt8(arg3 + 8, 2, true);
            break;
          }
          case 'destination-unavailable': {
            dataView(memory0).setInt8(arg3 + 8, 3, true);
            break;
          }
          case 'destination-IP-prohibited': {
            dataView(memory0).setInt8(arg3 + 8, 4, true);
            break;
          }
          case 'destination-IP-unroutable': {
            dataView(memory0).setInt8(arg3 + 8, 5, true);
            break;
          }
          case 'connection-refused': {
            dataView(memory0).setInt8(arg3 + 8, 6, true);
            break;
          }
          case 'connection-terminated': {
            dataView(memory0).setInt8(arg3 + 8, 7, true);
            break;
          }
          case 'connection-timeout': {
            dataView(memory0).setInt8(arg3 + 8, 8, true);
            break;
          }
          case 'connection-read-timeout': {
            dataView(memory0).setInt8(arg3 + 8, 9, true);
            break;
          }
          case 'connection-write-timeout': {
            dataView(memory0).setInt8(arg3 + 8, 10, true);
            break;
          }
          case 'connection-limit-reached': {
            dataView(memory0).setInt8(arg3 + 8, 11, true);
            break;
          }
          case 'TLS-protocol-error': {
            dataView(memory0).setInt8(arg3 + 8, 12, true);
            break;
          }
          case 'TLS-certificate-error': {
            dataView(memory0).setInt8(arg3 + 8, 13, true);
            break;
          }
          case 'TLS-alert-received': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 14, true);
            var {alertId: v12_0, alertMessage: v12_1 } = e;
            var variant13 = v12_0;
            if (variant13 === null || variant13=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant13;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setInt8(arg3 + 17, toUint8(e), true);
            }
            var variant15 = v12_1;
            if (variant15 === null || variant15=== undefined) {
              dataView(memory0).setInt8(arg3 + 20, 0, true);
            } else {
              const e = variant15;
              dataView(memory0).setInt8(arg3 + 20, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr14= encodeRes.ptr;
              var len14 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 28, len14, true);
              dataView(memory0).setUint32(arg3 + 24, ptr14, true);
            }
            break;
          }
          case 'HTTP-request-denied': {
            dataView(memory0).setInt8(arg3 + 8, 15, true);
            break;
          }
          case 'HTTP-request-length-required': {
            dataView(memory0).setInt8(arg3 + 8, 16, true);
            break;
          }
          case 'HTTP-request-body-size': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 17, true);
            var variant16 = e;
            if (variant16 === null || variant16=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant16;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setBigInt64(arg3 + 24, toUint64(e), true);
            }
            break;
          }
          case 'HTTP-request-method-invalid': {
            dataView(memory0).setInt8(arg3 + 8, 18, true);
            break;
          }
          case 'HTTP-request-URI-invalid': {
            dataView(memory0).setInt8(arg3 + 8, 19, true);
            break;
          }
          case 'HTTP-request-URI-too-long': {
            dataView(memory0).setInt8(arg3 + 8, 20, true);
            break;
          }
          case 'HTTP-request-header-section-size': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 21, true);
            var variant17 = e;
            if (variant17 === null || variant17=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant17;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setInt32(arg3 + 20, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-request-header-size': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 22, true);
            var variant22 = e;
            if (variant22 === null || variant22=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant22;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              var {fieldName: v18_0, fieldSize: v18_1 } = e;
              var variant20 = v18_0;
              if (variant20 === null || variant20=== undefined) {
                dataView(memory0).setInt8(arg3 + 20, 0, true);
              } else {
                const e = variant20;
                dataView(memory0).setInt8(arg3 + 20, 1, true);
                
                var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                var ptr19= encodeRes.ptr;
                var len19 = encodeRes.len;
                
                dataView(memory0).setUint32(arg3 + 28, len19, true);
                dataView(memory0).setUint32(arg3 + 24, ptr19, true);
              }
              var variant21 = v18_1;
              if (variant21 === null || variant21=== undefined) {
                dataView(memory0).setInt8(arg3 + 32, 0, true);
              } else {
                const e = variant21;
                dataView(memory0).setInt8(arg3 + 32, 1, true);
                dataView(memory0).setInt32(arg3 + 36, toUint32(e), true);
              }
            }
            break;
          }
          case 'HTTP-request-trailer-section-size': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 23, true);
            var variant23 = e;
            if (variant23 === null || variant23=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant23;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setInt32(arg3 + 20, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-request-trailer-size': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 24, true);
            var {fieldName: v24_0, fieldSize: v24_1 } = e;
            var variant26 = v24_0;
            if (variant26 === null || variant26=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant26;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr25= encodeRes.ptr;
              var len25 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len25, true);
              dataView(memory0).setUint32(arg3 + 20, ptr25, true);
            }
            var variant27 = v24_1;
            if (variant27 === null || variant27=== undefined) {
              dataView(memory0).setInt8(arg3 + 28, 0, true);
            } else {
              const e = variant27;
              dataView(memory0).setInt8(arg3 + 28, 1, true);
              dataView(memory0).setInt32(arg3 + 32, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-incomplete': {
            dataView(memory0).setInt8(arg3 + 8, 25, true);
            break;
          }
          case 'HTTP-response-header-section-size': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 26, true);
            var variant28 = e;
            if (variant28 === null || variant28=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant28;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setInt32(arg3 + 20, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-header-size': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 27, true);
            var {fieldName: v29_0, fieldSize: v29_1 } = e;
            var variant31 = v29_0;
            if (variant31 === null || variant31=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant31;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr30= encodeRes.ptr;
              var len30 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len30, true);
              dataView(memory0).setUint32(arg3 + 20, ptr30, true);
            }
            var variant32 = v29_1;
            if (variant32 === null || variant32=== undefined) {
              dataView(memory0).setInt8(arg3 + 28, 0, true);
            } else {
              const e = variant32;
              dataView(memory0).setInt8(arg3 + 28, 1, true);
              dataView(memory0).setInt32(arg3 + 32, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-body-size': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 28, true);
            var variant33 = e;
            if (variant33 === null || variant33=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant33;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setBigInt64(arg3 + 24, toUint64(e), true);
            }
            break;
          }
          case 'HTTP-response-trailer-section-size': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 29, true);
            var variant34 = e;
            if (variant34 === null || variant34=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant34;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setInt32(arg3 + 20, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-trailer-size': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 30, true);
            var {fieldName: v35_0, fieldSize: v35_1 } = e;
            var variant37 = v35_0;
            if (variant37 === null || variant37=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant37;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr36= encodeRes.ptr;
              var len36 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len36, true);
              dataView(memory0).setUint32(arg3 + 20, ptr36, true);
            }
            var variant38 = v35_1;
            if (variant38 === null || variant38=== undefined) {
              dataView(memory0).setInt8(arg3 + 28, 0, true);
            } else {
              const e = variant38;
              dataView(memory0).setInt8(arg3 + 28, 1, true);
              dataView(memory0).setInt32(arg3 + 32, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-transfer-coding': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 31, true);
            var variant40 = e;
            if (variant40 === null || variant40=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant40;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr39= encodeRes.ptr;
              var len39 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len39, true);
              dataView(memory0).setUint32(arg3 + 20, ptr39, true);
            }
            break;
          }
          case 'HTTP-response-content-coding': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 32, true);
            var variant42 = e;
            if (variant42 === null || variant42=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant42;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr41= encodeRes.ptr;
              var len41 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len41, true);
              dataView(memory0).setUint32(arg3 + 20, ptr41, true);
            }
            break;
          }
          case 'HTTP-response-timeout': {
            dataView(memory0).setInt8(arg3 + 8, 33, true);
            break;
          }
          case 'HTTP-upgrade-failed': {
            dataView(memory0).setInt8(arg3 + 8, 34, true);
            break;
          }
          case 'HTTP-protocol-error': {
            dataView(memory0).setInt8(arg3 + 8, 35, true);
            break;
          }
          case 'loop-detected': {
            dataView(memory0).setInt8(arg3 + 8, 36, true);
            break;
          }
          case 'configuration-error': {
            dataView(memory0).setInt8(arg3 + 8, 37, true);
            break;
          }
          case 'internal-error': {
            const e = variant45.val;
            dataView(memory0).setInt8(arg3 + 8, 38, true);
            var variant44 = e;
            if (variant44 === null || variant44=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant44;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr43= encodeRes.ptr;
              var len43 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len43, true);
              dataView(memory0).setUint32(arg3 + 20, ptr43, true);
            }
            break;
          }
          default: {
            throw new TypeError(`invalid variant tag value \`${JSON.stringify(variant45.tag)}\` (received \`${variant45}\`) specified for \`ErrorCode\``);
          }
        }
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant46, valueType: typeof variant46});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[static]outgoing-body.finish"][Instruction::Return]', {
      funcName: '[static]outgoing-body.finish',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline28.fnName = 'wasi:http/types@0.2.0#OutgoingBody.finish';
  
  const _trampoline29 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable7[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable7.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(FutureIncomingResponse.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]future-incoming-response.get"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'get',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.get()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant44 = ret;
    if (variant44 === null || variant44=== undefined) {
      dataView(memory0).setInt8(arg1 + 0, 0, true);
    } else {
      const e = variant44;
      dataView(memory0).setInt8(arg1 + 0, 1, true);
      var variant43 = e;
      switch (variant43.tag) {
        case 'ok': {
          const e = variant43.val;
          dataView(memory0).setInt8(arg1 + 8, 0, true);
          var variant42 = e;
          switch (variant42.tag) {
            case 'ok': {
              const e = variant42.val;
              dataView(memory0).setInt8(arg1 + 16, 0, true);
              
              if (!(e instanceof IncomingResponse)) {
                throw new TypeError('Resource error: Not a valid \"IncomingResponse\" resource.');
              }
              var handle3 = e[symbolRscHandle];
              if (!handle3) {
                const rep = e[symbolRscRep] || ++captureCnt8;
                captureTable8.set(rep, e);
                handle3 = rscTableCreateOwn(handleTable8, rep);
              }
              
              dataView(memory0).setInt32(arg1 + 24, handle3, true);
              
              break;
            }
            case 'err': {
              const e = variant42.val;
              dataView(memory0).setInt8(arg1 + 16, 1, true);
              var variant41 = e;
              switch (variant41.tag) {
                case 'DNS-timeout': {
                  dataView(memory0).setInt8(arg1 + 24, 0, true);
                  break;
                }
                case 'DNS-error': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 1, true);
                  var {rcode: v4_0, infoCode: v4_1 } = e;
                  var variant6 = v4_0;
                  if (variant6 === null || variant6=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant6;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    
                    var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                    var ptr5= encodeRes.ptr;
                    var len5 = encodeRes.len;
                    
                    dataView(memory0).setUint32(arg1 + 40, len5, true);
                    dataView(memory0).setUint32(arg1 + 36, ptr5, true);
                  }
                  var variant7 = v4_1;
                  if (variant7 === null || variant7=== undefined) {
                    dataView(memory0).setInt8(arg1 + 44, 0, true);
                  } else {
                    const e = variant7;
                    dataView(memory0).setInt8(arg1 + 44, 1, true);
                    dataView(memory0).setInt16(arg1 + 46, toUint16(e), true);
                  }
                  break;
                }
                case 'destination-not-found': {
                  dataView(memory0).setInt8(arg1 + 24, 2, true);
                  break;
                }
                case 'destination-unavailable': {
                  dataView(memory0).setInt8(arg1 + 24, 3, true);
                  break;
                }
                case 'destination-IP-prohibited': {
                  dataView(memory0).setInt8(arg1 + 24, 4, true);
                  break;
                }
                case 'destination-IP-unroutable': {
                  dataView(memory0).setInt8(arg1 + 24, 5, true);
                  break;
                }
                case 'connection-refused': {
                  dataView(memory0).setInt8(arg1 + 24, 6, true);
                  break;
                }
                case 'connection-terminated': {
                  dataView(memory0).setInt8(arg1 + 24, 7, true);
                  break;
                }
                case 'connection-timeout': {
                  dataView(memory0).setInt8(arg1 + 24, 8, true);
                  break;
                }
                case 'connection-read-timeout': {
                  dataView(memory0).setInt8(arg1 + 24, 9, true);
                  break;
                }
                case 'connection-write-timeout': {
                  dataView(memory0).setInt8(arg1 + 24, 10, true);
                  break;
                }
                case 'connection-limit-reached': {
                  dataView(memory0).setInt8(arg1 + 24, 11, true);
                  break;
                }
                case 'TLS-protocol-error': {
                  dataView(memory0).setInt8(arg1 + 24, 12, true);
                  break;
                }
                case 'TLS-certificate-error': {
                  dataView(memory0).setInt8(arg1 + 24, 13, true);
                  break;
                }
                case 'TLS-alert-received': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 14, true);
                  var {alertId: v8_0, alertMessage: v8_1 } = e;
                  var variant9 = v8_0;
                  if (variant9 === null || variant9=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant9;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    dataView(memory0).setInt8(arg1 + 33, toUint8(e), true);
                  }
                  var variant11 = v8_1;
                  if (variant11 === null || variant11=== undefined) {
                    dataView(memory0).setInt8(arg1 + 36, 0, true);
                  } else {
                    const e = variant11;
                    dataView(memory0).setInt8(arg1 + 36, 1, true);
                    
                    var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                    var ptr10= encodeRes.ptr;
                    var len10 = encodeRes.len;
                    
                    dataView(memory0).setUint32(arg1 + 44, len10, true);
                    dataView(memory0).setUint32(arg1 + 40, ptr10, true);
                  }
                  break;
                }
                case 'HTTP-request-denied': {
                  dataView(memory0).setInt8(arg1 + 24, 15, true);
                  break;
                }
                case 'HTTP-request-length-required': {
                  dataView(memory0).setInt8(arg1 + 24, 16, true);
                  break;
                }
                case 'HTTP-request-body-size': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 17, true);
                  var variant12 = e;
                  if (variant12 === null || variant12=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant12;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    dataView(memory0).setBigInt64(arg1 + 40, toUint64(e), true);
                  }
                  break;
                }
                case 'HTTP-request-method-invalid': {
                  dataView(memory0).setInt8(arg1 + 24, 18, true);
                  break;
                }
                case 'HTTP-request-URI-invalid': {
                  dataView(memory0).setInt8(arg1 + 24, 19, true);
                  break;
                }
                case 'HTTP-request-URI-too-long': {
                  dataView(memory0).setInt8(arg1 + 24, 20, true);
                  break;
                }
                case 'HTTP-request-header-section-size': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 21, true);
                  var variant13 = e;
                  if (variant13 === null || variant13=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant13;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    dataView(memory0).setInt32(arg1 + 36, toUint32(e), true);
                  }
                  break;
                }
                case 'HTTP-request-header-size': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 22, true);
                  var variant18 = e;
                  if (variant18 === null || variant18=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant18;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    var {fieldName: v14_0, fieldSize: v14_1 } = e;
                    var variant16 = v14_0;
                    if (variant16 === null || variant16=== undefined) {
                      dataView(memory0).setInt8(arg1 + 36, 0, true);
                    } else {
                      const e = variant16;
                      dataView(memory0).setInt8(arg1 + 36, 1, true);
                      
                      var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                      var ptr15= encodeRes.ptr;
                      var len15 = encodeRes.len;
                      
                      dataView(memory0).setUint32(arg1 + 44, len15, true);
                      dataView(memory0).setUint32(arg1 + 40, ptr15, true);
                    }
                    var variant17 = v14_1;
                    if (variant17 === null || variant17=== undefined) {
                      dataView(memory0).setInt8(arg1 + 48, 0, true);
                    } else {
                      const e = variant17;
                      dataView(memory0).setInt8(arg1 + 48, 1, true);
                      dataView(memory0).setInt32(arg1 + 52, toUint32(e), true);
                    }
                  }
                  break;
                }
                case 'HTTP-request-trailer-section-size': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 23, true);
                  var variant19 = e;
                  if (variant19 === null || variant19=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant19;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    dataView(memory0).setInt32(arg1 + 36, toUint32(e), true);
                  }
                  break;
                }
                case 'HTTP-request-trailer-size': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 24, true);
                  var {fieldName: v20_0, fieldSize: v20_1 } = e;
                  var variant22 = v20_0;
                  if (variant22 === null || variant22=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant22;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    
                    var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                    var ptr21= encodeRes.ptr;
                    var len21 = encodeRes.len;
                    
                    dataView(memory0).setUint32(arg1 + 40, len21, true);
                    dataView(memory0).setUint32(arg1 + 36, ptr21, true);
                  }
                  var variant23 = v20_1;
                  if (variant23 === null || variant23=== undefined) {
                    dataView(memory0).setInt8(arg1 + 44, 0, true);
                  } else {
                    const e = variant23;
                    dataView(memory0).setInt8(arg1 + 44, 1, true);
                    dataView(memory0).setInt32(arg1 + 48, toUint32(e), true);
                  }
                  break;
                }
                case 'HTTP-response-incomplete': {
                  dataView(memory0).setInt8(arg1 + 24, 25, true);
                  break;
                }
                case 'HTTP-response-header-section-size': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 26, true);
                  var variant24 = e;
                  if (variant24 === null || variant24=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant24;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    dataView(memory0).setInt32(arg1 + 36, toUint32(e), true);
                  }
                  break;
                }
                case 'HTTP-response-header-size': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 27, true);
                  var {fieldName: v25_0, fieldSize: v25_1 } = e;
                  var variant27 = v25_0;
                  if (variant27 === null || variant27=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant27;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    
                    var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                    var ptr26= encodeRes.ptr;
                    var len26 = encodeRes.len;
                    
                    dataView(memory0).setUint32(arg1 + 40, len26, true);
                    dataView(memory0).setUint32(arg1 + 36, ptr26, true);
                  }
                  var variant28 = v25_1;
                  if (variant28 === null || variant28=== undefined) {
                    dataView(memory0).setInt8(arg1 + 44, 0, true);
                  } else {
                    const e = variant28;
                    dataView(memory0).setInt8(arg1 + 44, 1, true);
                    dataView(memory0).setInt32(arg1 + 48, toUint32(e), true);
                  }
                  break;
                }
                case 'HTTP-response-body-size': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 28, true);
                  var variant29 = e;
                  if (variant29 === null || variant29=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant29;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    dataView(memory0).setBigInt64(arg1 + 40, toUint64(e), true);
                  }
                  break;
                }
                case 'HTTP-response-trailer-section-size': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 29, true);
                  var variant30 = e;
                  if (variant30 === null || variant30=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant30;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    dataView(memory0).setInt32(arg1 + 36, toUint32(e), true);
                  }
                  break;
                }
                case 'HTTP-response-trailer-size': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 30, true);
                  var {fieldName: v31_0, fieldSize: v31_1 } = e;
                  var variant33 = v31_0;
                  if (variant33 === null || variant33=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant33;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    
                    var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                    var ptr32= encodeRes.ptr;
                    var len32 = encodeRes.len;
                    
                    dataView(memory0).setUint32(arg1 + 40, len32, true);
                    dataView(memory0).setUint32(arg1 + 36, ptr32, true);
                  }
                  var variant34 = v31_1;
                  if (variant34 === null || variant34=== undefined) {
                    dataView(memory0).setInt8(arg1 + 44, 0, true);
                  } else {
                    const e = variant34;
                    dataView(memory0).setInt8(arg1 + 44, 1, true);
                    dataView(memory0).setInt32(arg1 + 48, toUint32(e), true);
                  }
                  break;
                }
                case 'HTTP-response-transfer-coding': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 31, true);
                  var variant36 = e;
                  if (variant36 === null || variant36=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant36;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    
                    var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                    var ptr35= encodeRes.ptr;
                    var len35 = encodeRes.len;
                    
                    dataView(memory0).setUint32(arg1 + 40, len35, true);
                    dataView(memory0).setUint32(arg1 + 36, ptr35, true);
                  }
                  break;
                }
                case 'HTTP-response-content-coding': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 32, true);
                  var variant38 = e;
                  if (variant38 === null || variant38=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant38;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    
                    var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                    var ptr37= encodeRes.ptr;
                    var len37 = encodeRes.len;
                    
                    dataView(memory0).setUint32(arg1 + 40, len37, true);
                    dataView(memory0).setUint32(arg1 + 36, ptr37, true);
                  }
                  break;
                }
                case 'HTTP-response-timeout': {
                  dataView(memory0).setInt8(arg1 + 24, 33, true);
                  break;
                }
                case 'HTTP-upgrade-failed': {
                  dataView(memory0).setInt8(arg1 + 24, 34, true);
                  break;
                }
                case 'HTTP-protocol-error': {
                  dataView(memory0).setInt8(arg1 + 24, 35, true);
                  break;
                }
                case 'loop-detected': {
                  dataView(memory0).setInt8(arg1 + 24, 36, true);
                  break;
                }
                case 'configuration-error': {
                  dataView(memory0).setInt8(arg1 + 24, 37, true);
                  break;
                }
                case 'internal-error': {
                  const e = variant41.val;
                  dataView(memory0).setInt8(arg1 + 24, 38, true);
                  var variant40 = e;
                  if (variant40 === null || variant40=== undefined) {
                    dataView(memory0).setInt8(arg1 + 32, 0, true);
                  } else {
                    const e = variant40;
                    dataView(memory0).setInt8(arg1 + 32, 1, true);
                    
                    var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                    var ptr39= encodeRes.ptr;
                    var len39 = encodeRes.len;
                    
                    dataView(memory0).setUint32(arg1 + 40, len39, true);
                    dataView(memory0).setUint32(arg1 + 36, ptr39, true);
                  }
                  break;
                }
                default: {
                  throw new TypeError(`invalid variant tag value \`${JSON.stringify(variant41.tag)}\` (received \`${variant41}\`) specified for \`ErrorCode\``);
                }
              }
              
              break;
            }
            default: {
              _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant42, valueType: typeof variant42});
              throw new TypeError('invalid variant specified for result');
            }
          }
          
          break;
        }
        case 'err': {
          const e = variant43.val;
          dataView(memory0).setInt8(arg1 + 8, 1, true);
          
          break;
        }
        default: {
          _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant43, valueType: typeof variant43});
          throw new TypeError('invalid variant specified for result');
        }
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]future-incoming-response.get"][Instruction::Return]', {
      funcName: '[method]future-incoming-response.get',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline29.fnName = 'wasi:http/types@0.2.0#get';
  
  const handleTable9 = [T_FLAG, 0];
  handleTable9._createdReps = new Set();
  handleTable9._componentIdx = 0;
  
  
  const captureTable9= new Map();
  let captureCnt9= 0;
  
  HANDLE_TABLES[9] = handleTable9;
  
  const _trampoline30 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable8[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable8.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(IncomingResponse.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-response.consume"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'consume',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet3 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.consume()),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant5 = ret;
    switch (variant5.tag) {
      case 'ok': {
        const e = variant5.val;
        dataView(memory0).setInt8(arg1 + 0, 0, true);
        
        if (!(e instanceof IncomingBody)) {
          throw new TypeError('Resource error: Not a valid \"IncomingBody\" resource.');
        }
        var handle4 = e[symbolRscHandle];
        if (!handle4) {
          const rep = e[symbolRscRep] || ++captureCnt9;
          captureTable9.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable9, rep);
        }
        
        dataView(memory0).setInt32(arg1 + 4, handle4, true);
        
        break;
      }
      case 'err': {
        const e = variant5.val;
        dataView(memory0).setInt8(arg1 + 0, 1, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant5, valueType: typeof variant5});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-response.consume"][Instruction::Return]', {
      funcName: '[method]incoming-response.consume',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline30.fnName = 'wasi:http/types@0.2.0#consume';
  
  const _trampoline31 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable9[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable9.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(IncomingBody.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-body.stream"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'stream',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet3 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.stream()),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant5 = ret;
    switch (variant5.tag) {
      case 'ok': {
        const e = variant5.val;
        dataView(memory0).setInt8(arg1 + 0, 0, true);
        
        if (!(e instanceof InputStream)) {
          throw new TypeError('Resource error: Not a valid \"InputStream\" resource.');
        }
        var handle4 = e[symbolRscHandle];
        if (!handle4) {
          const rep = e[symbolRscRep] || ++captureCnt3;
          captureTable3.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable3, rep);
        }
        
        dataView(memory0).setInt32(arg1 + 4, handle4, true);
        
        break;
      }
      case 'err': {
        const e = variant5.val;
        dataView(memory0).setInt8(arg1 + 0, 1, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant5, valueType: typeof variant5});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-body.stream"][Instruction::Return]', {
      funcName: '[method]incoming-body.stream',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline31.fnName = 'wasi:http/types@0.2.0#stream';
  
  const handleTable1 = [T_FLAG, 0];
  handleTable1._createdReps = new Set();
  handleTable1._componentIdx = 0;
  
  
  const captureTable1= new Map();
  let captureCnt1= 0;
  
  HANDLE_TABLES[1] = handleTable1;
  
  const _trampoline32 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable1[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable1.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Error$1.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="http-error-code"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'httpErrorCode',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => httpErrorCode(rsc0)),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant41 = ret;
    if (variant41 === null || variant41=== undefined) {
      dataView(memory0).setInt8(arg1 + 0, 0, true);
    } else {
      const e = variant41;
      dataView(memory0).setInt8(arg1 + 0, 1, true);
      var variant40 = e;
      switch (variant40.tag) {
        case 'DNS-timeout': {
          dataView(memory0).setInt8(arg1 + 8, 0, true);
          break;
        }
        case 'DNS-error': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 1, true);
          var {rcode: v3_0, infoCode: v3_1 } = e;
          var variant5 = v3_0;
          if (variant5 === null || variant5=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant5;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr4= encodeRes.ptr;
            var len4 = encodeRes.len;
            
            dataView(memory0).setUint32(arg1 + 24, len4, true);
            dataView(memory0).setUint32(arg1 + 20, ptr4, true);
          }
          var variant6 = v3_1;
          if (variant6 === null || variant6=== undefined) {
            dataView(memory0).setInt8(arg1 + 28, 0, true);
          } else {
            const e = variant6;
            dataView(memory0).setInt8(arg1 + 28, 1, true);
            dataView(memory0).setInt16(arg1 + 30, toUint16(e), true);
          }
          break;
        }
        case 'destination-not-found': {
          dataView(memory0).setInt8(arg1 + 8, 2, true);
          break;
        }
        case 'destination-unavailable': {
          dataView(memory0).setInt8(arg1 + 8, 3, true);
          break;
        }
        case 'destination-IP-prohibited': {
          dataView(memory0).setInt8(arg1 + 8, 4, true);
          break;
        }
        case 'destination-IP-unroutable': {
          dataView(memory0).setInt8(arg1 + 8, 5, true);
          break;
        }
        case 'connection-refused': {
          dataView(memory0).setInt8(arg1 + 8, 6, true);
          break;
        }
        case 'connection-terminated': {
          dataView(memory0).setInt8(arg1 + 8, 7, true);
          break;
        }
        case 'connection-timeout': {
          dataView(memory0).setInt8(arg1 + 8, 8, true);
          break;
        }
        case 'connection-read-timeout': {
          dataView(memory0).setInt8(arg1 + 8, 9, true);
          break;
        }
        case 'connection-write-timeout': {
          dataView(memory0).setInt8(arg1 + 8, 10, true);
          break;
        }
        case 'connection-limit-reached': {
          dataView(memory0).setInt8(arg1 + 8, 11, true);
          break;
        }
        case 'TLS-protocol-error': {
          dataView(memory0).setInt8(arg1 + 8, 12, true);
          break;
        }
        case 'TLS-certificate-error': {
          dataView(memory0).setInt8(arg1 + 8, 13, true);
          break;
        }
        case 'TLS-alert-received': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 14, true);
          var {alertId: v7_0, alertMessage: v7_1 } = e;
          var variant8 = v7_0;
          if (variant8 === null || variant8=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant8;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            dataView(memory0).setInt8(arg1 + 17, toUint8(e), true);
          }
          var variant10 = v7_1;
          if (variant10 === null || variant10=== undefined) {
            dataView(memory0).setInt8(arg1 + 20, 0, true);
          } else {
            const e = variant10;
            dataView(memory0).setInt8(arg1 + 20, 1, true);
            
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr9= encodeRes.ptr;
            var len9 = encodeRes.len;
            
            dataView(memory0).setUint32(arg1 + 28, len9, true);
            dataView(memory0).setUint32(arg1 + 24, ptr9, true);
          }
          break;
        }
        case 'HTTP-request-denied': {
          dataView(memory0).setInt8(arg1 + 8, 15, true);
          break;
        }
        case 'HTTP-request-length-required': {
          dataView(memory0).setInt8(arg1 + 8, 16, true);
          break;
        }
        case 'HTTP-request-body-size': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 17, true);
          var variant11 = e;
          if (variant11 === null || variant11=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant11;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            dataView(memory0).setBigInt64(arg1 + 24, toUint64(e), true);
          }
          break;
        }
        case 'HTTP-request-method-invalid': {
          dataView(memory0).setInt8(arg1 + 8, 18, true);
          break;
        }
        case 'HTTP-request-URI-invalid': {
          dataView(memory0).setInt8(arg1 + 8, 19, true);
          break;
        }
        case 'HTTP-request-URI-too-long': {
          dataView(memory0).setInt8(arg1 + 8, 20, true);
          break;
        }
        case 'HTTP-request-header-section-size': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 21, true);
          var variant12 = e;
          if (variant12 === null || variant12=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant12;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            dataView(memory0).setInt32(arg1 + 20, toUint32(e), true);
          }
          break;
        }
        case 'HTTP-request-header-size': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 22, true);
          var variant17 = e;
          if (variant17 === null || variant17=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant17;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            var {fieldName: v13_0, fieldSize: v13_1 } = e;
            var variant15 = v13_0;
            if (variant15 === null || variant15=== undefined) {
              dataView(memory0).setInt8(arg1 + 20, 0, true);
            } else {
              const e = variant15;
              dataView(memory0).setInt8(arg1 + 20, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr14= encodeRes.ptr;
              var len14 = encodeRes.len;
              
              dataView(memory0).setUint32(arg1 + 28, len14, true);
              dataView(memory0).setUint32(arg1 + 24, ptr14, true);
            }
            var variant16 = v13_1;
            if (variant16 === null || variant16=== undefined) {
              dataView(memory0).setInt8(arg1 + 32, 0, true);
            } else {
              const e = variant16;
              dataView(memory0).setInt8(arg1 + 32, 1, true);
              dataView(memory0).setInt32(arg1 + 36, toUint32(e), true);
            }
          }
          break;
        }
        case 'HTTP-request-trailer-section-size': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 23, true);
          var variant18 = e;
          if (variant18 === null || variant18=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant18;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            dataView(memory0).setInt32(arg1 + 20, toUint32(e), true);
          }
          break;
        }
        case 'HTTP-request-trailer-size': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 24, true);
          var {fieldName: v19_0, fieldSize: v19_1 } = e;
          var variant21 = v19_0;
          if (variant21 === null || variant21=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant21;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr20= encodeRes.ptr;
            var len20 = encodeRes.len;
            
            dataView(memory0).setUint32(arg1 + 24, len20, true);
            dataView(memory0).setUint32(arg1 + 20, ptr20, true);
          }
          var variant22 = v19_1;
          if (variant22 === null || variant22=== undefined) {
            dataView(memory0).setInt8(arg1 + 28, 0, true);
          } else {
            const e = variant22;
            dataView(memory0).setInt8(arg1 + 28, 1, true);
            dataView(memory0).setInt32(arg1 + 32, toUint32(e), true);
          }
          break;
        }
        case 'HTTP-response-incomplete': {
          dataView(memory0).setInt8(arg1 + 8, 25, true);
          break;
        }
        case 'HTTP-response-header-section-size': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 26, true);
          var variant23 = e;
          if (variant23 === null || variant23=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant23;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            dataView(memory0).setInt32(arg1 + 20, toUint32(e), true);
          }
          break;
        }
        case 'HTTP-response-header-size': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 27, true);
          var {fieldName: v24_0, fieldSize: v24_1 } = e;
          var variant26 = v24_0;
          if (variant26 === null || variant26=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant26;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr25= encodeRes.ptr;
            var len25 = encodeRes.len;
            
            dataView(memory0).setUint32(arg1 + 24, len25, true);
            dataView(memory0).setUint32(arg1 + 20, ptr25, true);
          }
          var variant27 = v24_1;
          if (variant27 === null || variant27=== undefined) {
            dataView(memory0).setInt8(arg1 + 28, 0, true);
          } else {
            const e = variant27;
            dataView(memory0).setInt8(arg1 + 28, 1, true);
            dataView(memory0).setInt32(arg1 + 32, toUint32(e), true);
          }
          break;
        }
        case 'HTTP-response-body-size': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 28, true);
          var variant28 = e;
          if (variant28 === null || variant28=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant28;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            dataView(memory0).setBigInt64(arg1 + 24, toUint64(e), true);
          }
          break;
        }
        case 'HTTP-response-trailer-section-size': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 29, true);
          var variant29 = e;
          if (variant29 === null || variant29=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant29;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            dataView(memory0).setInt32(arg1 + 20, toUint32(e), true);
          }
          break;
        }
        case 'HTTP-response-trailer-size': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 30, true);
          var {fieldName: v30_0, fieldSize: v30_1 } = e;
          var variant32 = v30_0;
          if (variant32 === null || variant32=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant32;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr31= encodeRes.ptr;
            var len31 = encodeRes.len;
            
            dataView(memory0).setUint32(arg1 + 24, len31, true);
            dataView(memory0).setUint32(arg1 + 20, ptr31, true);
          }
          var variant33 = v30_1;
          if (variant33 === null || variant33=== undefined) {
            dataView(memory0).setInt8(arg1 + 28, 0, true);
          } else {
            const e = variant33;
            dataView(memory0).setInt8(arg1 + 28, 1, true);
            dataView(memory0).setInt32(arg1 + 32, toUint32(e), true);
          }
          break;
        }
        case 'HTTP-response-transfer-coding': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 31, true);
          var variant35 = e;
          if (variant35 === null || variant35=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant35;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr34= encodeRes.ptr;
            var len34 = encodeRes.len;
            
            dataView(memory0).setUint32(arg1 + 24, len34, true);
            dataView(memory0).setUint32(arg1 + 20, ptr34, true);
          }
          break;
        }
        case 'HTTP-response-content-coding': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 32, true);
          var variant37 = e;
          if (variant37 === null || variant37=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant37;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr36= encodeRes.ptr;
            var len36 = encodeRes.len;
            
            dataView(memory0).setUint32(arg1 + 24, len36, true);
            dataView(memory0).setUint32(arg1 + 20, ptr36, true);
          }
          break;
        }
        case 'HTTP-response-timeout': {
          dataView(memory0).setInt8(arg1 + 8, 33, true);
          break;
        }
        case 'HTTP-upgrade-failed': {
          dataView(memory0).setInt8(arg1 + 8, 34, true);
          break;
        }
        case 'HTTP-protocol-error': {
          dataView(memory0).setInt8(arg1 + 8, 35, true);
          break;
        }
        case 'loop-detected': {
          dataView(memory0).setInt8(arg1 + 8, 36, true);
          break;
        }
        case 'configuration-error': {
          dataView(memory0).setInt8(arg1 + 8, 37, true);
          break;
        }
        case 'internal-error': {
          const e = variant40.val;
          dataView(memory0).setInt8(arg1 + 8, 38, true);
          var variant39 = e;
          if (variant39 === null || variant39=== undefined) {
            dataView(memory0).setInt8(arg1 + 16, 0, true);
          } else {
            const e = variant39;
            dataView(memory0).setInt8(arg1 + 16, 1, true);
            
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr38= encodeRes.ptr;
            var len38 = encodeRes.len;
            
            dataView(memory0).setUint32(arg1 + 24, len38, true);
            dataView(memory0).setUint32(arg1 + 20, ptr38, true);
          }
          break;
        }
        default: {
          throw new TypeError(`invalid variant tag value \`${JSON.stringify(variant40.tag)}\` (received \`${variant40}\`) specified for \`ErrorCode\``);
        }
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="http-error-code"][Instruction::Return]', {
      funcName: 'http-error-code',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline32.fnName = 'wasi:http/types@0.2.0#httpErrorCode';
  
  const _trampoline33 = function(arg0, arg1, arg2) {
    var len2 = arg1;
    var base2 = arg0;
    if (base2 % 4 !== 0) throw new TypeError(`list pointer [${base2}] is not aligned to 4`);
    var result2 = [];
    for (let i = 0; i < len2; i++) {
      const base = base2 + i * 16;
      var ptr0 = dataView(memory0).getUint32(base + 0, true);
      var len0 = dataView(memory0).getUint32(base + 4, true);
      var result0 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr0, len0));
      var ptr1 = dataView(memory0).getUint32(base + 8, true);
      var len1 = dataView(memory0).getUint32(base + 12, true);
      if (ptr1 % 1 !== 0) throw new TypeError(`list pointer [${ptr1}] is not aligned to 1`);
      var result1 = new Uint8Array(memory0.buffer.slice(ptr1, ptr1 + len1 * 1));
      result2.push([result0, result1]);
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[static]fields.from-list"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'Fields.fromList',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet3 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => Fields.fromList(result2)),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    var variant6 = ret;
    switch (variant6.tag) {
      case 'ok': {
        const e = variant6.val;
        dataView(memory0).setInt8(arg2 + 0, 0, true);
        
        if (!(e instanceof Fields)) {
          throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
        }
        var handle4 = e[symbolRscHandle];
        if (!handle4) {
          const rep = e[symbolRscRep] || ++captureCnt4;
          captureTable4.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable4, rep);
        }
        
        dataView(memory0).setInt32(arg2 + 4, handle4, true);
        
        break;
      }
      case 'err': {
        const e = variant6.val;
        dataView(memory0).setInt8(arg2 + 0, 1, true);
        var variant5 = e;
        switch (variant5.tag) {
          case 'invalid-syntax': {
            dataView(memory0).setInt8(arg2 + 4, 0, true);
            break;
          }
          case 'forbidden': {
            dataView(memory0).setInt8(arg2 + 4, 1, true);
            break;
          }
          case 'immutable': {
            dataView(memory0).setInt8(arg2 + 4, 2, true);
            break;
          }
          default: {
            throw new TypeError(`invalid variant tag value \`${JSON.stringify(variant5.tag)}\` (received \`${variant5}\`) specified for \`HeaderError\``);
          }
        }
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant6, valueType: typeof variant6});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[static]fields.from-list"][Instruction::Return]', {
      funcName: '[static]fields.from-list',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline33.fnName = 'wasi:http/types@0.2.0#Fields.fromList';
  
  const handleTable10 = [T_FLAG, 0];
  handleTable10._createdReps = new Set();
  handleTable10._componentIdx = 0;
  
  
  const captureTable10= new Map();
  let captureCnt10= 0;
  
  HANDLE_TABLES[10] = handleTable10;
  
  const _trampoline34 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable5[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable5.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingRequest.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    else {
      captureTable5.delete(rep2);
    }
    rscTableRemove(handleTable5, handle1);
    let variant6;
    switch (arg1) {
      case 0: {
        variant6 = undefined;
        break;
      }
      case 1: {
        var handle4 = arg2;
        
        var rep5 = handleTable10[(handle4 << 1) + 1] & ~T_FLAG;
        var rsc3 = captureTable10.get(rep5);
        if (!rsc3) {
          rsc3 = Object.create(RequestOptions.prototype);
          Object.defineProperty(rsc3, symbolRscHandle, { writable: true, value: handle4});
          Object.defineProperty(rsc3, symbolRscRep, { writable: true, value: rep5});
        }
        
        else {
          captureTable10.delete(rep5);
        }
        rscTableRemove(handleTable10, handle4);
        variant6 = rsc3;
        break;
      }
      default: {
        throw new TypeError('invalid variant discriminant for option');
      }
    }
    _debugLog('[iface="wasi:http/outgoing-handler@0.2.0", function="handle"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'handle',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet7 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => handle(rsc0, variant6)),
      })
      ;
      ret = hostRet7 !== null && typeof hostRet7 === 'object' && (hostRet7.tag === 'ok' || hostRet7.tag === 'err')
      ? hostRet7
      : { tag: 'ok', val: hostRet7};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    var variant47 = ret;
    switch (variant47.tag) {
      case 'ok': {
        const e = variant47.val;
        dataView(memory0).setInt8(arg3 + 0, 0, true);
        
        if (!(e instanceof FutureIncomingResponse)) {
          throw new TypeError('Resource error: Not a valid \"FutureIncomingResponse\" resource.');
        }
        var handle8 = e[symbolRscHandle];
        if (!handle8) {
          const rep = e[symbolRscRep] || ++captureCnt7;
          captureTable7.set(rep, e);
          handle8 = rscTableCreateOwn(handleTable7, rep);
        }
        
        dataView(memory0).setInt32(arg3 + 8, handle8, true);
        
        break;
      }
      case 'err': {
        const e = variant47.val;
        dataView(memory0).setInt8(arg3 + 0, 1, true);
        var variant46 = e;
        switch (variant46.tag) {
          case 'DNS-timeout': {
            dataView(memory0).setInt8(arg3 + 8, 0, true);
            break;
          }
          case 'DNS-error': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 1, true);
            var {rcode: v9_0, infoCode: v9_1 } = e;
            var variant11 = v9_0;
            if (variant11 === null || variant11=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant11;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr10= encodeRes.ptr;
              var len10 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len10, true);
              dataView(memory0).setUint32(arg3 + 20, ptr10, true);
            }
            var variant12 = v9_1;
            if (variant12 === null || variant12=== undefined) {
              dataView(memory0).setInt8(arg3 + 28, 0, true);
            } else {
              const e = variant12;
              dataView(memory0).setInt8(arg3 + 28, 1, true);
              dataView(memory0).setInt16(arg3 + 30, toUint16(e), true);
            }
            break;
          }
          case 'destination-not-found': {
            dataView(memory0).setInt8(arg3 + 8, 2, true);
            break;
          }
          case 'destination-unavailable': {
            dataView(memory0).setInt8(arg3 + 8, 3, true);
            break;
          }
          case 'destination-IP-prohibited': {
            dataView(memory0).setInt8(arg3 + 8, 4, true);
            break;
          }
          case 'destination-IP-unroutable': {
            dataView(memory0).setInt8(arg3 + 8, 5, true);
            break;
          }
          case 'connection-refused': {
            dataView(memory0).setInt8(arg3 + 8, 6, true);
            break;
          }
          case 'connection-terminated': {
            dataView(memory0).setInt8(arg3 + 8, 7, true);
            break;
          }
          case 'connection-timeout': {
            dataView(memory0).setInt8(arg3 + 8, 8, true);
            break;
          }
          case 'connection-read-timeout': {
            dataView(memory0).setInt8(arg3 + 8, 9, true);
            break;
          }
          case 'connection-write-timeout': {
            dataView(memory0).setInt8(arg3 + 8, 10, true);
            break;
          }
          case 'connection-limit-reached': {
            dataView(memory0).setInt8(arg3 + 8, 11, true);
            break;
          }
          case 'TLS-protocol-error': {
            dataView(memory0).setInt8(arg3 + 8, 12, true);
            break;
          }
          case 'TLS-certificate-error': {
            dataView(memory0).setInt8(arg3 + 8, 13, true);
            break;
          }
          case 'TLS-alert-received': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 14, true);
            var {alertId: v13_0, alertMessage: v13_1 } = e;
            var variant14 = v13_0;
            if (variant14 === null || variant14=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant14;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setInt8(arg3 + 17, toUint8(e), true);
            }
            var variant16 = v13_1;
            if (variant16 === null || variant16=== undefined) {
              dataView(memory0).setInt8(arg3 + 20, 0, true);
            } else {
              const e = variant16;
              dataView(memory0).setInt8(arg3 + 20, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr15= encodeRes.ptr;
              var len15 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 28, len15, true);
              dataView(memory0).setUint32(arg3 + 24, ptr15, true);
            }
            break;
          }
          case 'HTTP-request-denied': {
            dataView(memory0).setInt8(arg3 + 8, 15, true);
            break;
          }
          case 'HTTP-request-length-required': {
            dataView(memory0).setInt8(arg3 + 8, 16, true);
            break;
          }
          case 'HTTP-request-body-size': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 17, true);
            var variant17 = e;
            if (variant17 === null || variant17=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant17;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setBigInt64(arg3 + 24, toUint64(e), true);
            }
            break;
          }
          case 'HTTP-request-method-invalid': {
            dataView(memory0).setInt8(arg3 + 8, 18, true);
            break;
          }
          case 'HTTP-request-URI-invalid': {
            dataView(memory0).setInt8(arg3 + 8, 19, true);
            break;
          }
          case 'HTTP-request-URI-too-long': {
            dataView(memory0).setInt8(arg3 + 8, 20, true);
            break;
          }
          case 'HTTP-request-header-section-size': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 21, true);
            var variant18 = e;
            if (variant18 === null || variant18=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant18;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setInt32(arg3 + 20, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-request-header-size': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 22, true);
            var variant23 = e;
            if (variant23 === null || variant23=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant23;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              var {fieldName: v19_0, fieldSize: v19_1 } = e;
              var variant21 = v19_0;
              if (variant21 === null || variant21=== undefined) {
                dataView(memory0).setInt8(arg3 + 20, 0, true);
              } else {
                const e = variant21;
                dataView(memory0).setInt8(arg3 + 20, 1, true);
                
                var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                var ptr20= encodeRes.ptr;
                var len20 = encodeRes.len;
                
                dataView(memory0).setUint32(arg3 + 28, len20, true);
                dataView(memory0).setUint32(arg3 + 24, ptr20, true);
              }
              var variant22 = v19_1;
              if (variant22 === null || variant22=== undefined) {
                dataView(memory0).setInt8(arg3 + 32, 0, true);
              } else {
                const e = variant22;
                dataView(memory0).setInt8(arg3 + 32, 1, true);
                dataView(memory0).setInt32(arg3 + 36, toUint32(e), true);
              }
            }
            break;
          }
          case 'HTTP-request-trailer-section-size': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 23, true);
            var variant24 = e;
            if (variant24 === null || variant24=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant24;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setInt32(arg3 + 20, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-request-trailer-size': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 24, true);
            var {fieldName: v25_0, fieldSize: v25_1 } = e;
            var variant27 = v25_0;
            if (variant27 === null || variant27=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant27;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr26= encodeRes.ptr;
              var len26 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len26, true);
              dataView(memory0).setUint32(arg3 + 20, ptr26, true);
            }
            var variant28 = v25_1;
            if (variant28 === null || variant28=== undefined) {
              dataView(memory0).setInt8(arg3 + 28, 0, true);
            } else {
              const e = variant28;
              dataView(memory0).setInt8(arg3 + 28, 1, true);
              dataView(memory0).setInt32(arg3 + 32, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-incomplete': {
            dataView(memory0).setInt8(arg3 + 8, 25, true);
            break;
          }
          case 'HTTP-response-header-section-size': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 26, true);
            var variant29 = e;
            if (variant29 === null || variant29=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant29;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setInt32(arg3 + 20, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-header-size': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 27, true);
            var {fieldName: v30_0, fieldSize: v30_1 } = e;
            var variant32 = v30_0;
            if (variant32 === null || variant32=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant32;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr31= encodeRes.ptr;
              var len31 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len31, true);
              dataView(memory0).setUint32(arg3 + 20, ptr31, true);
            }
            var variant33 = v30_1;
            if (variant33 === null || variant33=== undefined) {
              dataView(memory0).setInt8(arg3 + 28, 0, true);
            } else {
              const e = variant33;
              dataView(memory0).setInt8(arg3 + 28, 1, true);
              dataView(memory0).setInt32(arg3 + 32, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-body-size': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 28, true);
            var variant34 = e;
            if (variant34 === null || variant34=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant34;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setBigInt64(arg3 + 24, toUint64(e), true);
            }
            break;
          }
          case 'HTTP-response-trailer-section-size': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 29, true);
            var variant35 = e;
            if (variant35 === null || variant35=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant35;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              dataView(memory0).setInt32(arg3 + 20, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-trailer-size': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 30, true);
            var {fieldName: v36_0, fieldSize: v36_1 } = e;
            var variant38 = v36_0;
            if (variant38 === null || variant38=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant38;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr37= encodeRes.ptr;
              var len37 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len37, true);
              dataView(memory0).setUint32(arg3 + 20, ptr37, true);
            }
            var variant39 = v36_1;
            if (variant39 === null || variant39=== undefined) {
              dataView(memory0).setInt8(arg3 + 28, 0, true);
            } else {
              const e = variant39;
              dataView(memory0).setInt8(arg3 + 28, 1, true);
              dataView(memory0).setInt32(arg3 + 32, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-transfer-coding': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 31, true);
            var variant41 = e;
            if (variant41 === null || variant41=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant41;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr40= encodeRes.ptr;
              var len40 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len40, true);
              dataView(memory0).setUint32(arg3 + 20, ptr40, true);
            }
            break;
          }
          case 'HTTP-response-content-coding': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 32, true);
            var variant43 = e;
            if (variant43 === null || variant43=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant43;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr42= encodeRes.ptr;
              var len42 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len42, true);
              dataView(memory0).setUint32(arg3 + 20, ptr42, true);
            }
            break;
          }
          case 'HTTP-response-timeout': {
            dataView(memory0).setInt8(arg3 + 8, 33, true);
            break;
          }
          case 'HTTP-upgrade-failed': {
            dataView(memory0).setInt8(arg3 + 8, 34, true);
            break;
          }
          case 'HTTP-protocol-error': {
            dataView(memory0).setInt8(arg3 + 8, 35, true);
            break;
          }
          case 'loop-detected': {
            dataView(memory0).setInt8(arg3 + 8, 36, true);
            break;
          }
          case 'configuration-error': {
            dataView(memory0).setInt8(arg3 + 8, 37, true);
            break;
          }
          case 'internal-error': {
            const e = variant46.val;
            dataView(memory0).setInt8(arg3 + 8, 38, true);
            var variant45 = e;
            if (variant45 === null || variant45=== undefined) {
              dataView(memory0).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant45;
              dataView(memory0).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr44= encodeRes.ptr;
              var len44 = encodeRes.len;
              
              dataView(memory0).setUint32(arg3 + 24, len44, true);
              dataView(memory0).setUint32(arg3 + 20, ptr44, true);
            }
            break;
          }
          default: {
            throw new TypeError(`invalid variant tag value \`${JSON.stringify(variant46.tag)}\` (received \`${variant46}\`) specified for \`ErrorCode\``);
          }
        }
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant47, valueType: typeof variant47});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/outgoing-handler@0.2.0", function="handle"][Instruction::Return]', {
      funcName: 'handle',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline34.fnName = 'wasi:http/outgoing-handler@0.2.0#handle';
  
  const _trampoline35 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable2[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable2.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutputStream.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:io/streams@0.2.0", function="[method]output-stream.check-write"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'checkWrite',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet3 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.checkWrite()),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant6 = ret;
    switch (variant6.tag) {
      case 'ok': {
        const e = variant6.val;
        dataView(memory0).setInt8(arg1 + 0, 0, true);
        dataView(memory0).setBigInt64(arg1 + 8, toUint64(e), true);
        
        break;
      }
      case 'err': {
        const e = variant6.val;
        dataView(memory0).setInt8(arg1 + 0, 1, true);
        var variant5 = e;
        switch (variant5.tag) {
          case 'last-operation-failed': {
            const e = variant5.val;
            dataView(memory0).setInt8(arg1 + 8, 0, true);
            
            if (!(e instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error\" resource.');
            }
            var handle4 = e[symbolRscHandle];
            if (!handle4) {
              const rep = e[symbolRscRep] || ++captureCnt1;
              captureTable1.set(rep, e);
              handle4 = rscTableCreateOwn(handleTable1, rep);
            }
            
            dataView(memory0).setInt32(arg1 + 12, handle4, true);
            break;
          }
          case 'closed': {
            dataView(memory0).setInt8(arg1 + 8, 1, true);
            break;
          }
          default: {
            throw new TypeError(`invalid variant tag value \`${JSON.stringify(variant5.tag)}\` (received \`${variant5}\`) specified for \`StreamError\``);
          }
        }
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant6, valueType: typeof variant6});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:io/streams@0.2.0", function="[method]output-stream.check-write"][Instruction::Return]', {
      funcName: '[method]output-stream.check-write',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline35.fnName = 'wasi:io/streams@0.2.0#checkWrite';
  
  const _trampoline36 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable2[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable2.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutputStream.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    var ptr3 = arg1;
    var len3 = arg2;
    if (ptr3 % 1 !== 0) throw new TypeError(`list pointer [${ptr3}] is not aligned to 1`);
    var result3 = new Uint8Array(memory0.buffer.slice(ptr3, ptr3 + len3 * 1));
    _debugLog('[iface="wasi:io/streams@0.2.0", function="[method]output-stream.write"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'write',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet4 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.write(result3)),
      })
      ;
      ret = hostRet4 !== null && typeof hostRet4 === 'object' && (hostRet4.tag === 'ok' || hostRet4.tag === 'err')
      ? hostRet4
      : { tag: 'ok', val: hostRet4};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant7 = ret;
    switch (variant7.tag) {
      case 'ok': {
        const e = variant7.val;
        dataView(memory0).setInt8(arg3 + 0, 0, true);
        
        break;
      }
      case 'err': {
        const e = variant7.val;
        dataView(memory0).setInt8(arg3 + 0, 1, true);
        var variant6 = e;
        switch (variant6.tag) {
          case 'last-operation-failed': {
            const e = variant6.val;
            dataView(memory0).setInt8(arg3 + 4, 0, true);
            
            if (!(e instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error\" resource.');
            }
            var handle5 = e[symbolRscHandle];
            if (!handle5) {
              const rep = e[symbolRscRep] || ++captureCnt1;
              captureTable1.set(rep, e);
              handle5 = rscTableCreateOwn(handleTable1, rep);
            }
            
            dataView(memory0).setInt32(arg3 + 8, handle5, true);
            break;
          }
          case 'closed': {
            dataView(memory0).setInt8(arg3 + 4, 1, true);
            break;
          }
          default: {
            throw new TypeError(`invalid variant tag value \`${JSON.stringify(variant6.tag)}\` (received \`${variant6}\`) specified for \`StreamError\``);
          }
        }
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant7, valueType: typeof variant7});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:io/streams@0.2.0", function="[method]output-stream.write"][Instruction::Return]', {
      funcName: '[method]output-stream.write',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline36.fnName = 'wasi:io/streams@0.2.0#write';
  
  const _trampoline37 = function(arg0, arg1, arg2) {
    var handle1 = arg0;
    
    var rep2 = handleTable3[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable3.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(InputStream.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:io/streams@0.2.0", function="[method]input-stream.read"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'read',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    try {
      const hostRet3 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.read(BigInt.asUintN(64, BigInt(arg1)))),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var variant7 = ret;
    switch (variant7.tag) {
      case 'ok': {
        const e = variant7.val;
        dataView(memory0).setInt8(arg2 + 0, 0, true);
        var val4 = e;
        var len4 = Array.isArray(val4) ? val4.length : val4.byteLength;
        var ptr4 = realloc0(0, 0, 1, len4 * 1);
        
        let valData4;
        const valLenBytes4 = len4 * 1;
        if (Array.isArray(val4)) {
          // Regular array likely containing numbers, write values to memory
          let offset = 0;
          const dv4 = new DataView(memory0.buffer);
          for (const v of val4) {
            _requireValidNumericPrimitive.bind(null, 'u8')(v);
            dv4.setUint8(ptr4+ offset, v, true);
            offset += 1;
          }
        } else {
          // TypedArray / ArrayBuffer-like, direct copy
          valData4 = new Uint8Array(val4.buffer || val4, val4.byteOffset, valLenBytes4);
          const out4 = new Uint8Array(memory0.buffer, ptr4, valLenBytes4);
          out4.set(valData4);
        }
        
        dataView(memory0).setUint32(arg2 + 8, len4, true);
        dataView(memory0).setUint32(arg2 + 4, ptr4, true);
        
        break;
      }
      case 'err': {
        const e = variant7.val;
        dataView(memory0).setInt8(arg2 + 0, 1, true);
        var variant6 = e;
        switch (variant6.tag) {
          case 'last-operation-failed': {
            const e = variant6.val;
            dataView(memory0).setInt8(arg2 + 4, 0, true);
            
            if (!(e instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error\" resource.');
            }
            var handle5 = e[symbolRscHandle];
            if (!handle5) {
              const rep = e[symbolRscRep] || ++captureCnt1;
              captureTable1.set(rep, e);
              handle5 = rscTableCreateOwn(handleTable1, rep);
            }
            
            dataView(memory0).setInt32(arg2 + 8, handle5, true);
            break;
          }
          case 'closed': {
            dataView(memory0).setInt8(arg2 + 4, 1, true);
            break;
          }
          default: {
            throw new TypeError(`invalid variant tag value \`${JSON.stringify(variant6.tag)}\` (received \`${variant6}\`) specified for \`StreamError\``);
          }
        }
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant7, valueType: typeof variant7});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:io/streams@0.2.0", function="[method]input-stream.read"][Instruction::Return]', {
      funcName: '[method]input-stream.read',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline37.fnName = 'wasi:io/streams@0.2.0#read';
  
  const _trampoline38 = function(arg0, arg1, arg2) {
    var len3 = arg1;
    var base3 = arg0;
    if (base3 % 4 !== 0) throw new TypeError(`list pointer [${base3}] is not aligned to 4`);
    var result3 = [];
    for (let i = 0; i < len3; i++) {
      const base = base3 + i * 4;
      var handle1 = dataView(memory0).getInt32(base + 0, true);
      
      var rep2 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
      var rsc0 = captureTable0.get(rep2);
      if (!rsc0) {
        rsc0 = Object.create(Pollable.prototype);
        Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
        Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
      }
      
      curResourceBorrows.push(rsc0);
      result3.push(rsc0);
    }
    _debugLog('[iface="wasi:io/poll@0.2.0", function="poll"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'poll',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => poll(result3)),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    for (const entry of curResourceBorrows) {
      const rsc = entry.rsc ?? entry;
      if (entry.drop) {
        if (rsc[symbolRscHandle]) {
          entry.drop(rsc[symbolRscHandle]);
        }
      }
      rsc[symbolRscHandle] = undefined;
    }
    curResourceBorrows = [];
    var val4 = ret;
    var len4 = val4.length;
    var ptr4 = realloc0(0, 0, 4, len4 * 4);
    
    let valData4;
    const valLenBytes4 = len4 * 4;
    if (Array.isArray(val4)) {
      // Regular array likely containing numbers, write values to memory
      let offset = 0;
      const dv4 = new DataView(memory0.buffer);
      for (const v of val4) {
        _requireValidNumericPrimitive.bind(null, 'u32')(v);
        dv4.setUint32(ptr4+ offset, v, true);
        offset += 4;
      }
    } else {
      // TypedArray / ArrayBuffer-like, direct copy
      valData4 = new Uint8Array(val4.buffer || val4, val4.byteOffset, valLenBytes4);
      const out4 = new Uint8Array(memory0.buffer, ptr4, valLenBytes4);
      out4.set(valData4);
    }
    
    dataView(memory0).setUint32(arg2 + 4, len4, true);
    dataView(memory0).setUint32(arg2 + 0, ptr4, true);
    _debugLog('[iface="wasi:io/poll@0.2.0", function="poll"][Instruction::Return]', {
      funcName: 'poll',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline38.fnName = 'wasi:io/poll@0.2.0#poll';
  
  const _trampoline39 = function(arg0) {
    _debugLog('[iface="wasi:cli/environment@0.2.0", function="get-environment"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'getEnvironment',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      0,
      _getGlobalCurrentTaskMeta(0)?.taskID,
      )?.task;
      
      if (!parentTask) {
        createTask();
        break taskCreation;
      }
      
      createTask();
      
      if (hostProvided) {
        subtask = parentTask.getLatestSubtask();
        if (!subtask) {
          throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
        }
        task.setParentSubtask(subtask);
      }
    }
    
    const started = task.enterSync();
    let ret;
    
    
    try {
      ret = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => getEnvironment()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(0).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    var vec3 = ret;
    var len3 = vec3.length;
    var result3 = realloc0(0, 0, 4, len3 * 16);
    for (let i = 0; i < vec3.length; i++) {
      const e = vec3[i];
      const base = result3 + i * 16;var [tuple0_0, tuple0_1] = e;
      
      var encodeRes = _utf8AllocateAndEncode(tuple0_0, realloc0, memory0);
      var ptr1= encodeRes.ptr;
      var len1 = encodeRes.len;
      
      dataView(memory0).setUint32(base + 4, len1, true);
      dataView(memory0).setUint32(base + 0, ptr1, true);
      
      var encodeRes = _utf8AllocateAndEncode(tuple0_1, realloc0, memory0);
      var ptr2= encodeRes.ptr;
      var len2 = encodeRes.len;
      
      dataView(memory0).setUint32(base + 12, len2, true);
      dataView(memory0).setUint32(base + 8, ptr2, true);
    }
    dataView(memory0).setUint32(arg0 + 4, len3, true);
    dataView(memory0).setUint32(arg0 + 0, result3, true);
    _debugLog('[iface="wasi:cli/environment@0.2.0", function="get-environment"][Instruction::Return]', {
      funcName: 'get-environment',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline39.fnName = 'wasi:cli/environment@0.2.0#getEnvironment';
  let exports2;
  let postReturn0;
  let postReturn0Async;
  let postReturn1;
  let postReturn1Async;
  let postReturn2;
  let postReturn2Async;
  let messaging020SendMessage;
  
  function sendMessage(arg0) {
    
    const hostProvided = false;
    getOrCreateAsyncState(0).throwIfTrapped();
    
    const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
      componentIdx: 0,
      isAsync: false,
      isManualAsync: false,
      preserveFutureResult: false,
      entryFnName: 'messaging020SendMessage',
      getCallbackFn: () => null,
      callbackFnName: null,
      errHandling: 'throw-result-err',
      callingWasmExport: true,
    });
    task.setCalleeIsAsync(false);
    
    const started = task.enterSync();
    CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
    
    if (0!== null) {
      task.setReturnMemoryIdx(0);
      task.setReturnMemory((() => memory0)());
    }
    
    
    return _withGlobalCurrentTaskMeta({
      taskID: task.id(),
      componentIdx: task.componentIdx(),
      fn: () => {
        try {
          
          var {phone: v0_0, message: v0_1, device: v0_2, fields: v0_3 } = arg0;
          
          var encodeRes = _utf8AllocateAndEncode(v0_0, realloc0, memory0);
          var ptr1= encodeRes.ptr;
          var len1 = encodeRes.len;
          
          
          var encodeRes = _utf8AllocateAndEncode(v0_1, realloc0, memory0);
          var ptr2= encodeRes.ptr;
          var len2 = encodeRes.len;
          
          var variant4 = v0_2;
          let variant4_0;
          let variant4_1;
          let variant4_2;
          if (variant4 === null || variant4=== undefined) {
            variant4_0 = 0;
            variant4_1 = 0;
            variant4_2 = 0;
          } else {
            const e = variant4;
            
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr3= encodeRes.ptr;
            var len3 = encodeRes.len;
            
            variant4_0 = 1;
            variant4_1 = ptr3;
            variant4_2 = len3;
          }
          var vec8 = v0_3;
          var len8 = vec8.length;
          var result8 = realloc0(0, 0, 4, len8 * 16);
          for (let i = 0; i < vec8.length; i++) {
            const e = vec8[i];
            const base = result8 + i * 16;var {name: v5_0, json: v5_1 } = e;
            
            var encodeRes = _utf8AllocateAndEncode(v5_0, realloc0, memory0);
            var ptr6= encodeRes.ptr;
            var len6 = encodeRes.len;
            
            dataView(memory0).setUint32(base + 4, len6, true);
            dataView(memory0).setUint32(base + 0, ptr6, true);
            
            var encodeRes = _utf8AllocateAndEncode(v5_1, realloc0, memory0);
            var ptr7= encodeRes.ptr;
            var len7 = encodeRes.len;
            
            dataView(memory0).setUint32(base + 12, len7, true);
            dataView(memory0).setUint32(base + 8, ptr7, true);
          }
          _debugLog('[iface="messaging:integration/messaging@0.2.0", function="send-message"][Instruction::CallWasm] enter', {
            funcName: 'send-message',
            paramCount: 9,
            async: false,
            postReturn: true,
          });
          
          let ret;
          
          try {
            ret =  _withGlobalCurrentTaskMeta({
              taskID: task.id(),
              componentIdx: task.componentIdx(),
              fn: () => messaging020SendMessage(ptr1, len1, ptr2, len2, variant4_0, variant4_1, variant4_2, result8, len8),
            });
          } catch (err) {
            
            _debugLog('[Instruction::CallWasm] error during sync call', {
              taskID: task.id(),
              err,
            });
            getOrCreateAsyncState(0).markTrapped(err);
            task.setErrored(err);
            task.reject(err);
            task.exit();
            throw err;
            
          }
          
          let variant67;
          switch (dataView(memory0).getUint8(ret + 0, true)) {
            case 0: {
              var ptr9 = dataView(memory0).getUint32(ret + 4, true);
              var len9 = dataView(memory0).getUint32(ret + 8, true);
              var result9 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr9, len9));
              var ptr10 = dataView(memory0).getUint32(ret + 12, true);
              var len10 = dataView(memory0).getUint32(ret + 16, true);
              var result10 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr10, len10));
              variant67= {
                tag: 'ok',
                val: {
                  id: result9,
                  json: result10,
                }
              };
              break;
            }
            case 1: {
              let variant66;
              switch (dataView(memory0).getUint8(ret + 4, true)) {
                case 0: {
                  variant66= {
                    tag: 'execution-failed',
                  };
                  break;
                }
                case 1: {
                  var ptr11 = dataView(memory0).getUint32(ret + 8, true);
                  var len11 = dataView(memory0).getUint32(ret + 12, true);
                  var result11 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr11, len11));
                  var ptr12 = dataView(memory0).getUint32(ret + 16, true);
                  var len12 = dataView(memory0).getUint32(ret + 20, true);
                  var result12 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr12, len12));
                  variant66= {
                    tag: 'permanent-invalid-input',
                    val: {
                      field: result11,
                      detail: result12,
                    }
                  };
                  break;
                }
                case 2: {
                  var ptr13 = dataView(memory0).getUint32(ret + 8, true);
                  var len13 = dataView(memory0).getUint32(ret + 12, true);
                  var result13 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr13, len13));
                  var ptr14 = dataView(memory0).getUint32(ret + 16, true);
                  var len14 = dataView(memory0).getUint32(ret + 20, true);
                  var result14 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr14, len14));
                  variant66= {
                    tag: 'permanent-invalid-settings',
                    val: {
                      setting: result13,
                      detail: result14,
                    }
                  };
                  break;
                }
                case 3: {
                  let variant16;
                  switch (dataView(memory0).getUint8(ret + 12, true)) {
                    case 0: {
                      variant16 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr15 = dataView(memory0).getUint32(ret + 16, true);
                      var len15 = dataView(memory0).getUint32(ret + 20, true);
                      var result15 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr15, len15));
                      variant16 = result15;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant18;
                  switch (dataView(memory0).getUint8(ret + 24, true)) {
                    case 0: {
                      variant18 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr17 = dataView(memory0).getUint32(ret + 28, true);
                      var len17 = dataView(memory0).getUint32(ret + 32, true);
                      var result17 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr17, len17));
                      variant18 = result17;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  var len22 = dataView(memory0).getUint32(ret + 40, true);
                  var base22 = dataView(memory0).getUint32(ret + 36, true);
                  if (base22 % 4 !== 0) throw new TypeError(`list pointer [${base22}] is not aligned to 4`);
                  var result22 = [];
                  for (let i = 0; i < len22; i++) {
                    const base = base22 + i * 20;
                    let variant20;
                    switch (dataView(memory0).getUint8(base + 0, true)) {
                      case 0: {
                        variant20 = undefined;
                        break;
                      }
                      case 1: {
                        var ptr19 = dataView(memory0).getUint32(base + 4, true);
                        var len19 = dataView(memory0).getUint32(base + 8, true);
                        var result19 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr19, len19));
                        variant20 = result19;
                        break;
                      }
                      default: {
                        throw new TypeError('invalid variant discriminant for option');
                      }
                    }
                    var ptr21 = dataView(memory0).getUint32(base + 12, true);
                    var len21 = dataView(memory0).getUint32(base + 16, true);
                    var result21 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr21, len21));
                    result22.push({
                      field: variant20,
                      message: result21,
                    });
                  }
                  var ptr23 = dataView(memory0).getUint32(ret + 44, true);
                  var len23 = dataView(memory0).getUint32(ret + 48, true);
                  var result23 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr23, len23));
                  variant66= {
                    tag: 'permanent-unauthorized',
                    val: {
                      status: clampGuest(dataView(memory0).getUint16(ret + 8, true), 0, 65535),
                      code: variant16,
                      message: variant18,
                      details: result22,
                      body: result23,
                    }
                  };
                  break;
                }
                case 4: {
                  let variant25;
                  switch (dataView(memory0).getUint8(ret + 12, true)) {
                    case 0: {
                      variant25 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr24 = dataView(memory0).getUint32(ret + 16, true);
                      var len24 = dataView(memory0).getUint32(ret + 20, true);
                      var result24 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr24, len24));
                      variant25 = result24;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant27;
                  switch (dataView(memory0).getUint8(ret + 24, true)) {
                    case 0: {
                      variant27 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr26 = dataView(memory0).getUint32(ret + 28, true);
                      var len26 = dataView(memory0).getUint32(ret + 32, true);
                      var result26 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr26, len26));
                      variant27 = result26;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  var len31 = dataView(memory0).getUint32(ret + 40, true);
                  var base31 = dataView(memory0).getUint32(ret + 36, true);
                  if (base31 % 4 !== 0) throw new TypeError(`list pointer [${base31}] is not aligned to 4`);
                  var result31 = [];
                  for (let i = 0; i < len31; i++) {
                    const base = base31 + i * 20;
                    let variant29;
                    switch (dataView(memory0).getUint8(base + 0, true)) {
                      case 0: {
                        variant29 = undefined;
                        break;
                      }
                      case 1: {
                        var ptr28 = dataView(memory0).getUint32(base + 4, true);
                        var len28 = dataView(memory0).getUint32(base + 8, true);
                        var result28 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr28, len28));
                        variant29 = result28;
                        break;
                      }
                      default: {
                        throw new TypeError('invalid variant discriminant for option');
                      }
                    }
                    var ptr30 = dataView(memory0).getUint32(base + 12, true);
                    var len30 = dataView(memory0).getUint32(base + 16, true);
                    var result30 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr30, len30));
                    result31.push({
                      field: variant29,
                      message: result30,
                    });
                  }
                  var ptr32 = dataView(memory0).getUint32(ret + 44, true);
                  var len32 = dataView(memory0).getUint32(ret + 48, true);
                  var result32 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr32, len32));
                  variant66= {
                    tag: 'permanent-refused',
                    val: {
                      status: clampGuest(dataView(memory0).getUint16(ret + 8, true), 0, 65535),
                      code: variant25,
                      message: variant27,
                      details: result31,
                      body: result32,
                    }
                  };
                  break;
                }
                case 5: {
                  let enum33;
                  switch (dataView(memory0).getUint8(ret + 8, true)) {
                    case 0: {
                      enum33 = 'sending-request';
                      break;
                    }
                    case 1: {
                      enum33 = 'awaiting-reply';
                      break;
                    }
                    case 2: {
                      enum33 = 'reading-reply';
                      break;
                    }
                    case 3: {
                      enum33 = 'reply-unclear';
                      break;
                    }
                    default: {
                      throw new TypeError('invalid discriminant specified for Stage');
                    }
                  }
                  var ptr34 = dataView(memory0).getUint32(ret + 12, true);
                  var len34 = dataView(memory0).getUint32(ret + 16, true);
                  var result34 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr34, len34));
                  let variant35;
                  switch (dataView(memory0).getUint8(ret + 20, true)) {
                    case 0: {
                      variant35 = undefined;
                      break;
                    }
                    case 1: {
                      variant35 = clampGuest(dataView(memory0).getUint16(ret + 22, true), 0, 65535);
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant45;
                  switch (dataView(memory0).getUint8(ret + 24, true)) {
                    case 0: {
                      variant45 = undefined;
                      break;
                    }
                    case 1: {
                      let variant37;
                      switch (dataView(memory0).getUint8(ret + 32, true)) {
                        case 0: {
                          variant37 = undefined;
                          break;
                        }
                        case 1: {
                          var ptr36 = dataView(memory0).getUint32(ret + 36, true);
                          var len36 = dataView(memory0).getUint32(ret + 40, true);
                          var result36 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr36, len36));
                          variant37 = result36;
                          break;
                        }
                        default: {
                          throw new TypeError('invalid variant discriminant for option');
                        }
                      }
                      let variant39;
                      switch (dataView(memory0).getUint8(ret + 44, true)) {
                        case 0: {
                          variant39 = undefined;
                          break;
                        }
                        case 1: {
                          var ptr38 = dataView(memory0).getUint32(ret + 48, true);
                          var len38 = dataView(memory0).getUint32(ret + 52, true);
                          var result38 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr38, len38));
                          variant39 = result38;
                          break;
                        }
                        default: {
                          throw new TypeError('invalid variant discriminant for option');
                        }
                      }
                      var len43 = dataView(memory0).getUint32(ret + 60, true);
                      var base43 = dataView(memory0).getUint32(ret + 56, true);
                      if (base43 % 4 !== 0) throw new TypeError(`list pointer [${base43}] is not aligned to 4`);
                      var result43 = [];
                      for (let i = 0; i < len43; i++) {
                        const base = base43 + i * 20;
                        let variant41;
                        switch (dataView(memory0).getUint8(base + 0, true)) {
                          case 0: {
                            variant41 = undefined;
                            break;
                          }
                          case 1: {
                            var ptr40 = dataView(memory0).getUint32(base + 4, true);
                            var len40 = dataView(memory0).getUint32(base + 8, true);
                            var result40 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr40, len40));
                            variant41 = result40;
                            break;
                          }
                          default: {
                            throw new TypeError('invalid variant discriminant for option');
                          }
                        }
                        var ptr42 = dataView(memory0).getUint32(base + 12, true);
                        var len42 = dataView(memory0).getUint32(base + 16, true);
                        var result42 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr42, len42));
                        result43.push({
                          field: variant41,
                          message: result42,
                        });
                      }
                      var ptr44 = dataView(memory0).getUint32(ret + 64, true);
                      var len44 = dataView(memory0).getUint32(ret + 68, true);
                      var result44 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr44, len44));
                      variant45 = {
                        status: clampGuest(dataView(memory0).getUint16(ret + 28, true), 0, 65535),
                        code: variant37,
                        message: variant39,
                        details: result43,
                        body: result44,
                      };
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  variant66= {
                    tag: 'permanent-outcome-unknown',
                    val: {
                      stage: enum33,
                      detail: result34,
                      status: variant35,
                      refusal: variant45,
                    }
                  };
                  break;
                }
                case 6: {
                  var ptr46 = dataView(memory0).getUint32(ret + 12, true);
                  var len46 = dataView(memory0).getUint32(ret + 16, true);
                  var result46 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr46, len46));
                  var ptr47 = dataView(memory0).getUint32(ret + 20, true);
                  var len47 = dataView(memory0).getUint32(ret + 24, true);
                  var result47 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr47, len47));
                  variant66= {
                    tag: 'permanent-unexpected-reply',
                    val: {
                      status: clampGuest(dataView(memory0).getUint16(ret + 8, true), 0, 65535),
                      path: result46,
                      detail: result47,
                    }
                  };
                  break;
                }
                case 7: {
                  var ptr48 = dataView(memory0).getUint32(ret + 8, true);
                  var len48 = dataView(memory0).getUint32(ret + 12, true);
                  var result48 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr48, len48));
                  variant66= {
                    tag: 'permanent-denied',
                    val: {
                      detail: result48,
                    }
                  };
                  break;
                }
                case 8: {
                  let variant49;
                  switch (dataView(memory0).getUint8(ret + 8, true)) {
                    case 0: {
                      variant49 = undefined;
                      break;
                    }
                    case 1: {
                      variant49 = dataView(memory0).getInt32(ret + 12, true) >>> 0;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant51;
                  switch (dataView(memory0).getUint8(ret + 20, true)) {
                    case 0: {
                      variant51 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr50 = dataView(memory0).getUint32(ret + 24, true);
                      var len50 = dataView(memory0).getUint32(ret + 28, true);
                      var result50 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr50, len50));
                      variant51 = result50;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant53;
                  switch (dataView(memory0).getUint8(ret + 32, true)) {
                    case 0: {
                      variant53 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr52 = dataView(memory0).getUint32(ret + 36, true);
                      var len52 = dataView(memory0).getUint32(ret + 40, true);
                      var result52 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr52, len52));
                      variant53 = result52;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  var len57 = dataView(memory0).getUint32(ret + 48, true);
                  var base57 = dataView(memory0).getUint32(ret + 44, true);
                  if (base57 % 4 !== 0) throw new TypeError(`list pointer [${base57}] is not aligned to 4`);
                  var result57 = [];
                  for (let i = 0; i < len57; i++) {
                    const base = base57 + i * 20;
                    let variant55;
                    switch (dataView(memory0).getUint8(base + 0, true)) {
                      case 0: {
                        variant55 = undefined;
                        break;
                      }
                      case 1: {
                        var ptr54 = dataView(memory0).getUint32(base + 4, true);
                        var len54 = dataView(memory0).getUint32(base + 8, true);
                        var result54 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr54, len54));
                        variant55 = result54;
                        break;
                      }
                      default: {
                        throw new TypeError('invalid variant discriminant for option');
                      }
                    }
                    var ptr56 = dataView(memory0).getUint32(base + 12, true);
                    var len56 = dataView(memory0).getUint32(base + 16, true);
                    var result56 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr56, len56));
                    result57.push({
                      field: variant55,
                      message: result56,
                    });
                  }
                  var ptr58 = dataView(memory0).getUint32(ret + 52, true);
                  var len58 = dataView(memory0).getUint32(ret + 56, true);
                  var result58 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr58, len58));
                  variant66= {
                    tag: 'rate-limited',
                    val: {
                      retryAfterMs: variant49,
                      refusal: {
                        status: clampGuest(dataView(memory0).getUint16(ret + 16, true), 0, 65535),
                        code: variant51,
                        message: variant53,
                        details: result57,
                        body: result58,
                      },
                    }
                  };
                  break;
                }
                case 9: {
                  var ptr59 = dataView(memory0).getUint32(ret + 8, true);
                  var len59 = dataView(memory0).getUint32(ret + 12, true);
                  var result59 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr59, len59));
                  variant66= {
                    tag: 'not-sent',
                    val: {
                      detail: result59,
                    }
                  };
                  break;
                }
                case 10: {
                  var ptr60 = dataView(memory0).getUint32(ret + 8, true);
                  var len60 = dataView(memory0).getUint32(ret + 12, true);
                  var result60 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr60, len60));
                  let variant61;
                  switch (dataView(memory0).getUint8(ret + 16, true)) {
                    case 0: {
                      variant61 = undefined;
                      break;
                    }
                    case 1: {
                      variant61 = clampGuest(dataView(memory0).getUint16(ret + 18, true), 0, 65535);
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant62;
                  switch (dataView(memory0).getUint8(ret + 20, true)) {
                    case 0: {
                      variant62 = undefined;
                      break;
                    }
                    case 1: {
                      variant62 = dataView(memory0).getInt32(ret + 24, true) >>> 0;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  variant66= {
                    tag: 'unavailable',
                    val: {
                      detail: result60,
                      status: variant61,
                      retryAfterMs: variant62,
                    }
                  };
                  break;
                }
                case 11: {
                  var ptr63 = dataView(memory0).getUint32(ret + 8, true);
                  var len63 = dataView(memory0).getUint32(ret + 12, true);
                  var result63 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr63, len63));
                  var ptr64 = dataView(memory0).getUint32(ret + 16, true);
                  var len64 = dataView(memory0).getUint32(ret + 20, true);
                  var result64 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr64, len64));
                  let variant65;
                  switch (dataView(memory0).getUint8(ret + 24, true)) {
                    case 0: {
                      variant65 = undefined;
                      break;
                    }
                    case 1: {
                      variant65 = clampGuest(dataView(memory0).getUint16(ret + 26, true), 0, 65535);
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  variant66= {
                    tag: 'permanent-other',
                    val: {
                      code: result63,
                      detail: result64,
                      status: variant65,
                    }
                  };
                  break;
                }
                default: {
                  throw new TypeError('invalid variant discriminant for Error');
                }
              }
              variant67= {
                tag: 'err',
                val: variant66
              };
              break;
            }
            default: {
              throw new TypeError('invalid variant discriminant for expected');
            }
          }
          _debugLog('[iface="messaging:integration/messaging@0.2.0", function="send-message"][Instruction::Return]', {
            funcName: 'send-message',
            paramCount: 1,
            async: false,
            postReturn: true
          });
          const retCopy = variant67;
          task.resolve([retCopy.val]);
          
          let cstate = getOrCreateAsyncState(0);
          cstate.mayLeave = false;
          postReturn0(ret);
          cstate.mayLeave = true;
          task.exit();
          
          
          
          if (typeof retCopy === 'object' && retCopy.tag === 'err') {
            throw retCopy.val;
          }
          return retCopy.val;
          
          
        } catch (err) {
          if (!task.isResolvedState()) {
            task.setErrored(err);
            task.reject(err);
          }
          if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
          throw err;
        }
      },
    });
    
  }
  let messaging020ListTemplates;
  
  function listTemplates(arg0) {
    
    const hostProvided = false;
    getOrCreateAsyncState(0).throwIfTrapped();
    
    const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
      componentIdx: 0,
      isAsync: false,
      isManualAsync: false,
      preserveFutureResult: false,
      entryFnName: 'messaging020ListTemplates',
      getCallbackFn: () => null,
      callbackFnName: null,
      errHandling: 'throw-result-err',
      callingWasmExport: true,
    });
    task.setCalleeIsAsync(false);
    
    const started = task.enterSync();
    CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
    
    if (0!== null) {
      task.setReturnMemoryIdx(0);
      task.setReturnMemory((() => memory0)());
    }
    
    
    return _withGlobalCurrentTaskMeta({
      taskID: task.id(),
      componentIdx: task.componentIdx(),
      fn: () => {
        try {
          
          var {status: v0_0, parameters: v0_1, everyPage: v0_2 } = arg0;
          var variant2 = v0_0;
          let variant2_0;
          let variant2_1;
          let variant2_2;
          if (variant2 === null || variant2=== undefined) {
            variant2_0 = 0;
            variant2_1 = 0;
            variant2_2 = 0;
          } else {
            const e = variant2;
            
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr1= encodeRes.ptr;
            var len1 = encodeRes.len;
            
            variant2_0 = 1;
            variant2_1 = ptr1;
            variant2_2 = len1;
          }
          var vec6 = v0_1;
          var len6 = vec6.length;
          var result6 = realloc0(0, 0, 4, len6 * 16);
          for (let i = 0; i < vec6.length; i++) {
            const e = vec6[i];
            const base = result6 + i * 16;var {name: v3_0, value: v3_1 } = e;
            
            var encodeRes = _utf8AllocateAndEncode(v3_0, realloc0, memory0);
            var ptr4= encodeRes.ptr;
            var len4 = encodeRes.len;
            
            dataView(memory0).setUint32(base + 4, len4, true);
            dataView(memory0).setUint32(base + 0, ptr4, true);
            
            var encodeRes = _utf8AllocateAndEncode(v3_1, realloc0, memory0);
            var ptr5= encodeRes.ptr;
            var len5 = encodeRes.len;
            
            dataView(memory0).setUint32(base + 12, len5, true);
            dataView(memory0).setUint32(base + 8, ptr5, true);
          }
          var variant8 = v0_2;
          let variant8_0;
          let variant8_1;
          let variant8_2;
          if (variant8 === null || variant8=== undefined) {
            variant8_0 = 0;
            variant8_1 = 0;
            variant8_2 = 0;
          } else {
            const e = variant8;
            
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr7= encodeRes.ptr;
            var len7 = encodeRes.len;
            
            variant8_0 = 1;
            variant8_1 = ptr7;
            variant8_2 = len7;
          }
          _debugLog('[iface="messaging:integration/messaging@0.2.0", function="list-templates"][Instruction::CallWasm] enter', {
            funcName: 'list-templates',
            paramCount: 8,
            async: false,
            postReturn: true,
          });
          
          let ret;
          
          try {
            ret =  _withGlobalCurrentTaskMeta({
              taskID: task.id(),
              componentIdx: task.componentIdx(),
              fn: () => messaging020ListTemplates(variant2_0, variant2_1, variant2_2, result6, len6, variant8_0, variant8_1, variant8_2),
            });
          } catch (err) {
            
            _debugLog('[Instruction::CallWasm] error during sync call', {
              taskID: task.id(),
              err,
            });
            getOrCreateAsyncState(0).markTrapped(err);
            task.setErrored(err);
            task.reject(err);
            task.exit();
            throw err;
            
          }
          
          let variant72;
          switch (dataView(memory0).getUint8(ret + 0, true)) {
            case 0: {
              var len13 = dataView(memory0).getUint32(ret + 8, true);
              var base13 = dataView(memory0).getUint32(ret + 4, true);
              if (base13 % 4 !== 0) throw new TypeError(`list pointer [${base13}] is not aligned to 4`);
              var result13 = [];
              for (let i = 0; i < len13; i++) {
                const base = base13 + i * 32;
                var ptr9 = dataView(memory0).getUint32(base + 0, true);
                var len9 = dataView(memory0).getUint32(base + 4, true);
                var result9 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr9, len9));
                var ptr10 = dataView(memory0).getUint32(base + 8, true);
                var len10 = dataView(memory0).getUint32(base + 12, true);
                var result10 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr10, len10));
                var ptr11 = dataView(memory0).getUint32(base + 16, true);
                var len11 = dataView(memory0).getUint32(base + 20, true);
                var result11 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr11, len11));
                var ptr12 = dataView(memory0).getUint32(base + 24, true);
                var len12 = dataView(memory0).getUint32(base + 28, true);
                var result12 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr12, len12));
                result13.push({
                  name: result9,
                  status: result10,
                  language: result11,
                  json: result12,
                });
              }
              let variant15;
              switch (dataView(memory0).getUint8(ret + 24, true)) {
                case 0: {
                  variant15 = undefined;
                  break;
                }
                case 1: {
                  let enum14;
                  switch (dataView(memory0).getUint8(ret + 25, true)) {
                    case 0: {
                      enum14 = 'pages-not-followed';
                      break;
                    }
                    case 1: {
                      enum14 = 'page-parameter-ignored';
                      break;
                    }
                    case 2: {
                      enum14 = 'page-repeated';
                      break;
                    }
                    case 3: {
                      enum14 = 'page-empty';
                      break;
                    }
                    case 4: {
                      enum14 = 'total-changed';
                      break;
                    }
                    case 5: {
                      enum14 = 'cap-reached';
                      break;
                    }
                    default: {
                      throw new TypeError('invalid discriminant specified for IncompleteReason');
                    }
                  }
                  variant15 = enum14;
                  break;
                }
                default: {
                  throw new TypeError('invalid variant discriminant for option');
                }
              }
              variant72= {
                tag: 'ok',
                val: {
                  templates: result13,
                  total: dataView(memory0).getInt32(ret + 12, true) >>> 0,
                  page: dataView(memory0).getInt32(ret + 16, true) >>> 0,
                  size: dataView(memory0).getInt32(ret + 20, true) >>> 0,
                  incomplete: variant15,
                }
              };
              break;
            }
            case 1: {
              let variant71;
              switch (dataView(memory0).getUint8(ret + 4, true)) {
                case 0: {
                  variant71= {
                    tag: 'execution-failed',
                  };
                  break;
                }
                case 1: {
                  var ptr16 = dataView(memory0).getUint32(ret + 8, true);
                  var len16 = dataView(memory0).getUint32(ret + 12, true);
                  var result16 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr16, len16));
                  var ptr17 = dataView(memory0).getUint32(ret + 16, true);
                  var len17 = dataView(memory0).getUint32(ret + 20, true);
                  var result17 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr17, len17));
                  variant71= {
                    tag: 'permanent-invalid-input',
                    val: {
                      field: result16,
                      detail: result17,
                    }
                  };
                  break;
                }
                case 2: {
                  var ptr18 = dataView(memory0).getUint32(ret + 8, true);
                  var len18 = dataView(memory0).getUint32(ret + 12, true);
                  var result18 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr18, len18));
                  var ptr19 = dataView(memory0).getUint32(ret + 16, true);
                  var len19 = dataView(memory0).getUint32(ret + 20, true);
                  var result19 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr19, len19));
                  variant71= {
                    tag: 'permanent-invalid-settings',
                    val: {
                      setting: result18,
                      detail: result19,
                    }
                  };
                  break;
                }
                case 3: {
                  let variant21;
                  switch (dataView(memory0).getUint8(ret + 12, true)) {
                    case 0: {
                      variant21 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr20 = dataView(memory0).getUint32(ret + 16, true);
                      var len20 = dataView(memory0).getUint32(ret + 20, true);
                      var result20 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr20, len20));
                      variant21 = result20;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant23;
                  switch (dataView(memory0).getUint8(ret + 24, true)) {
                    case 0: {
                      variant23 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr22 = dataView(memory0).getUint32(ret + 28, true);
                      var len22 = dataView(memory0).getUint32(ret + 32, true);
                      var result22 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr22, len22));
                      variant23 = result22;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  var len27 = dataView(memory0).getUint32(ret + 40, true);
                  var base27 = dataView(memory0).getUint32(ret + 36, true);
                  if (base27 % 4 !== 0) throw new TypeError(`list pointer [${base27}] is not aligned to 4`);
                  var result27 = [];
                  for (let i = 0; i < len27; i++) {
                    const base = base27 + i * 20;
                    let variant25;
                    switch (dataView(memory0).getUint8(base + 0, true)) {
                      case 0: {
                        variant25 = undefined;
                        break;
                      }
                      case 1: {
                        var ptr24 = dataView(memory0).getUint32(base + 4, true);
                        var len24 = dataView(memory0).getUint32(base + 8, true);
                        var result24 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr24, len24));
                        variant25 = result24;
                        break;
                      }
                      default: {
                        throw new TypeError('invalid variant discriminant for option');
                      }
                    }
                    var ptr26 = dataView(memory0).getUint32(base + 12, true);
                    var len26 = dataView(memory0).getUint32(base + 16, true);
                    var result26 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr26, len26));
                    result27.push({
                      field: variant25,
                      message: result26,
                    });
                  }
                  var ptr28 = dataView(memory0).getUint32(ret + 44, true);
                  var len28 = dataView(memory0).getUint32(ret + 48, true);
                  var result28 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr28, len28));
                  variant71= {
                    tag: 'permanent-unauthorized',
                    val: {
                      status: clampGuest(dataView(memory0).getUint16(ret + 8, true), 0, 65535),
                      code: variant21,
                      message: variant23,
                      details: result27,
                      body: result28,
                    }
                  };
                  break;
                }
                case 4: {
                  let variant30;
                  switch (dataView(memory0).getUint8(ret + 12, true)) {
                    case 0: {
                      variant30 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr29 = dataView(memory0).getUint32(ret + 16, true);
                      var len29 = dataView(memory0).getUint32(ret + 20, true);
                      var result29 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr29, len29));
                      variant30 = result29;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant32;
                  switch (dataView(memory0).getUint8(ret + 24, true)) {
                    case 0: {
                      variant32 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr31 = dataView(memory0).getUint32(ret + 28, true);
                      var len31 = dataView(memory0).getUint32(ret + 32, true);
                      var result31 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr31, len31));
                      variant32 = result31;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  var len36 = dataView(memory0).getUint32(ret + 40, true);
                  var base36 = dataView(memory0).getUint32(ret + 36, true);
                  if (base36 % 4 !== 0) throw new TypeError(`list pointer [${base36}] is not aligned to 4`);
                  var result36 = [];
                  for (let i = 0; i < len36; i++) {
                    const base = base36 + i * 20;
                    let variant34;
                    switch (dataView(memory0).getUint8(base + 0, true)) {
                      case 0: {
                        variant34 = undefined;
                        break;
                      }
                      case 1: {
                        var ptr33 = dataView(memory0).getUint32(base + 4, true);
                        var len33 = dataView(memory0).getUint32(base + 8, true);
                        var result33 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr33, len33));
                        variant34 = result33;
                        break;
                      }
                      default: {
                        throw new TypeError('invalid variant discriminant for option');
                      }
                    }
                    var ptr35 = dataView(memory0).getUint32(base + 12, true);
                    var len35 = dataView(memory0).getUint32(base + 16, true);
                    var result35 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr35, len35));
                    result36.push({
                      field: variant34,
                      message: result35,
                    });
                  }
                  var ptr37 = dataView(memory0).getUint32(ret + 44, true);
                  var len37 = dataView(memory0).getUint32(ret + 48, true);
                  var result37 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr37, len37));
                  variant71= {
                    tag: 'permanent-refused',
                    val: {
                      status: clampGuest(dataView(memory0).getUint16(ret + 8, true), 0, 65535),
                      code: variant30,
                      message: variant32,
                      details: result36,
                      body: result37,
                    }
                  };
                  break;
                }
                case 5: {
                  let enum38;
                  switch (dataView(memory0).getUint8(ret + 8, true)) {
                    case 0: {
                      enum38 = 'sending-request';
                      break;
                    }
                    case 1: {
                      enum38 = 'awaiting-reply';
                      break;
                    }
                    case 2: {
                      enum38 = 'reading-reply';
                      break;
                    }
                    case 3: {
                      enum38 = 'reply-unclear';
                      break;
                    }
                    default: {
                      throw new TypeError('invalid discriminant specified for Stage');
                    }
                  }
                  var ptr39 = dataView(memory0).getUint32(ret + 12, true);
                  var len39 = dataView(memory0).getUint32(ret + 16, true);
                  var result39 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr39, len39));
                  let variant40;
                  switch (dataView(memory0).getUint8(ret + 20, true)) {
                    case 0: {
                      variant40 = undefined;
                      break;
                    }
                    case 1: {
                      variant40 = clampGuest(dataView(memory0).getUint16(ret + 22, true), 0, 65535);
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant50;
                  switch (dataView(memory0).getUint8(ret + 24, true)) {
                    case 0: {
                      variant50 = undefined;
                      break;
                    }
                    case 1: {
                      let variant42;
                      switch (dataView(memory0).getUint8(ret + 32, true)) {
                        case 0: {
                          variant42 = undefined;
                          break;
                        }
                        case 1: {
                          var ptr41 = dataView(memory0).getUint32(ret + 36, true);
                          var len41 = dataView(memory0).getUint32(ret + 40, true);
                          var result41 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr41, len41));
                          variant42 = result41;
                          break;
                        }
                        default: {
                          throw new TypeError('invalid variant discriminant for option');
                        }
                      }
                      let variant44;
                      switch (dataView(memory0).getUint8(ret + 44, true)) {
                        case 0: {
                          variant44 = undefined;
                          break;
                        }
                        case 1: {
                          var ptr43 = dataView(memory0).getUint32(ret + 48, true);
                          var len43 = dataView(memory0).getUint32(ret + 52, true);
                          var result43 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr43, len43));
                          variant44 = result43;
                          break;
                        }
                        default: {
                          throw new TypeError('invalid variant discriminant for option');
                        }
                      }
                      var len48 = dataView(memory0).getUint32(ret + 60, true);
                      var base48 = dataView(memory0).getUint32(ret + 56, true);
                      if (base48 % 4 !== 0) throw new TypeError(`list pointer [${base48}] is not aligned to 4`);
                      var result48 = [];
                      for (let i = 0; i < len48; i++) {
                        const base = base48 + i * 20;
                        let variant46;
                        switch (dataView(memory0).getUint8(base + 0, true)) {
                          case 0: {
                            variant46 = undefined;
                            break;
                          }
                          case 1: {
                            var ptr45 = dataView(memory0).getUint32(base + 4, true);
                            var len45 = dataView(memory0).getUint32(base + 8, true);
                            var result45 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr45, len45));
                            variant46 = result45;
                            break;
                          }
                          default: {
                            throw new TypeError('invalid variant discriminant for option');
                          }
                        }
                        var ptr47 = dataView(memory0).getUint32(base + 12, true);
                        var len47 = dataView(memory0).getUint32(base + 16, true);
                        var result47 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr47, len47));
                        result48.push({
                          field: variant46,
                          message: result47,
                        });
                      }
                      var ptr49 = dataView(memory0).getUint32(ret + 64, true);
                      var len49 = dataView(memory0).getUint32(ret + 68, true);
                      var result49 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr49, len49));
                      variant50 = {
                        status: clampGuest(dataView(memory0).getUint16(ret + 28, true), 0, 65535),
                        code: variant42,
                        message: variant44,
                        details: result48,
                        body: result49,
                      };
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  variant71= {
                    tag: 'permanent-outcome-unknown',
                    val: {
                      stage: enum38,
                      detail: result39,
                      status: variant40,
                      refusal: variant50,
                    }
                  };
                  break;
                }
                case 6: {
                  var ptr51 = dataView(memory0).getUint32(ret + 12, true);
                  var len51 = dataView(memory0).getUint32(ret + 16, true);
                  var result51 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr51, len51));
                  var ptr52 = dataView(memory0).getUint32(ret + 20, true);
                  var len52 = dataView(memory0).getUint32(ret + 24, true);
                  var result52 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr52, len52));
                  variant71= {
                    tag: 'permanent-unexpected-reply',
                    val: {
                      status: clampGuest(dataView(memory0).getUint16(ret + 8, true), 0, 65535),
                      path: result51,
                      detail: result52,
                    }
                  };
                  break;
                }
                case 7: {
                  var ptr53 = dataView(memory0).getUint32(ret + 8, true);
                  var len53 = dataView(memory0).getUint32(ret + 12, true);
                  var result53 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr53, len53));
                  variant71= {
                    tag: 'permanent-denied',
                    val: {
                      detail: result53,
                    }
                  };
                  break;
                }
                case 8: {
                  let variant54;
                  switch (dataView(memory0).getUint8(ret + 8, true)) {
                    case 0: {
                      variant54 = undefined;
                      break;
                    }
                    case 1: {
                      variant54 = dataView(memory0).getInt32(ret + 12, true) >>> 0;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant56;
                  switch (dataView(memory0).getUint8(ret + 20, true)) {
                    case 0: {
                      variant56 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr55 = dataView(memory0).getUint32(ret + 24, true);
                      var len55 = dataView(memory0).getUint32(ret + 28, true);
                      var result55 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr55, len55));
                      variant56 = result55;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant58;
                  switch (dataView(memory0).getUint8(ret + 32, true)) {
                    case 0: {
                      variant58 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr57 = dataView(memory0).getUint32(ret + 36, true);
                      var len57 = dataView(memory0).getUint32(ret + 40, true);
                      var result57 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr57, len57));
                      variant58 = result57;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  var len62 = dataView(memory0).getUint32(ret + 48, true);
                  var base62 = dataView(memory0).getUint32(ret + 44, true);
                  if (base62 % 4 !== 0) throw new TypeError(`list pointer [${base62}] is not aligned to 4`);
                  var result62 = [];
                  for (let i = 0; i < len62; i++) {
                    const base = base62 + i * 20;
                    let variant60;
                    switch (dataView(memory0).getUint8(base + 0, true)) {
                      case 0: {
                        variant60 = undefined;
                        break;
                      }
                      case 1: {
                        var ptr59 = dataView(memory0).getUint32(base + 4, true);
                        var len59 = dataView(memory0).getUint32(base + 8, true);
                        var result59 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr59, len59));
                        variant60 = result59;
                        break;
                      }
                      default: {
                        throw new TypeError('invalid variant discriminant for option');
                      }
                    }
                    var ptr61 = dataView(memory0).getUint32(base + 12, true);
                    var len61 = dataView(memory0).getUint32(base + 16, true);
                    var result61 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr61, len61));
                    result62.push({
                      field: variant60,
                      message: result61,
                    });
                  }
                  var ptr63 = dataView(memory0).getUint32(ret + 52, true);
                  var len63 = dataView(memory0).getUint32(ret + 56, true);
                  var result63 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr63, len63));
                  variant71= {
                    tag: 'rate-limited',
                    val: {
                      retryAfterMs: variant54,
                      refusal: {
                        status: clampGuest(dataView(memory0).getUint16(ret + 16, true), 0, 65535),
                        code: variant56,
                        message: variant58,
                        details: result62,
                        body: result63,
                      },
                    }
                  };
                  break;
                }
                case 9: {
                  var ptr64 = dataView(memory0).getUint32(ret + 8, true);
                  var len64 = dataView(memory0).getUint32(ret + 12, true);
                  var result64 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr64, len64));
                  variant71= {
                    tag: 'not-sent',
                    val: {
                      detail: result64,
                    }
                  };
                  break;
                }
                case 10: {
                  var ptr65 = dataView(memory0).getUint32(ret + 8, true);
                  var len65 = dataView(memory0).getUint32(ret + 12, true);
                  var result65 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr65, len65));
                  let variant66;
                  switch (dataView(memory0).getUint8(ret + 16, true)) {
                    case 0: {
                      variant66 = undefined;
                      break;
                    }
                    case 1: {
                      variant66 = clampGuest(dataView(memory0).getUint16(ret + 18, true), 0, 65535);
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant67;
                  switch (dataView(memory0).getUint8(ret + 20, true)) {
                    case 0: {
                      variant67 = undefined;
                      break;
                    }
                    case 1: {
                      variant67 = dataView(memory0).getInt32(ret + 24, true) >>> 0;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  variant71= {
                    tag: 'unavailable',
                    val: {
                      detail: result65,
                      status: variant66,
                      retryAfterMs: variant67,
                    }
                  };
                  break;
                }
                case 11: {
                  var ptr68 = dataView(memory0).getUint32(ret + 8, true);
                  var len68 = dataView(memory0).getUint32(ret + 12, true);
                  var result68 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr68, len68));
                  var ptr69 = dataView(memory0).getUint32(ret + 16, true);
                  var len69 = dataView(memory0).getUint32(ret + 20, true);
                  var result69 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr69, len69));
                  let variant70;
                  switch (dataView(memory0).getUint8(ret + 24, true)) {
                    case 0: {
                      variant70 = undefined;
                      break;
                    }
                    case 1: {
                      variant70 = clampGuest(dataView(memory0).getUint16(ret + 26, true), 0, 65535);
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  variant71= {
                    tag: 'permanent-other',
                    val: {
                      code: result68,
                      detail: result69,
                      status: variant70,
                    }
                  };
                  break;
                }
                default: {
                  throw new TypeError('invalid variant discriminant for Error');
                }
              }
              variant72= {
                tag: 'err',
                val: variant71
              };
              break;
            }
            default: {
              throw new TypeError('invalid variant discriminant for expected');
            }
          }
          _debugLog('[iface="messaging:integration/messaging@0.2.0", function="list-templates"][Instruction::Return]', {
            funcName: 'list-templates',
            paramCount: 1,
            async: false,
            postReturn: true
          });
          const retCopy = variant72;
          task.resolve([retCopy.val]);
          
          let cstate = getOrCreateAsyncState(0);
          cstate.mayLeave = false;
          postReturn1(ret);
          cstate.mayLeave = true;
          task.exit();
          
          
          
          if (typeof retCopy === 'object' && retCopy.tag === 'err') {
            throw retCopy.val;
          }
          return retCopy.val;
          
          
        } catch (err) {
          if (!task.isResolvedState()) {
            task.setErrored(err);
            task.reject(err);
          }
          if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
          throw err;
        }
      },
    });
    
  }
  let messaging020HandleEvent;
  
  function handleEvent(arg0) {
    
    const hostProvided = false;
    getOrCreateAsyncState(0).throwIfTrapped();
    
    const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
      componentIdx: 0,
      isAsync: false,
      isManualAsync: false,
      preserveFutureResult: false,
      entryFnName: 'messaging020HandleEvent',
      getCallbackFn: () => null,
      callbackFnName: null,
      errHandling: 'throw-result-err',
      callingWasmExport: true,
    });
    task.setCalleeIsAsync(false);
    
    const started = task.enterSync();
    CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
    
    if (0!== null) {
      task.setReturnMemoryIdx(0);
      task.setReturnMemory((() => memory0)());
    }
    
    
    return _withGlobalCurrentTaskMeta({
      taskID: task.id(),
      componentIdx: task.componentIdx(),
      fn: () => {
        try {
          
          var {headers: v0_0, body: v0_1 } = arg0;
          var vec4 = v0_0;
          var len4 = vec4.length;
          var result4 = realloc0(0, 0, 4, len4 * 16);
          for (let i = 0; i < vec4.length; i++) {
            const e = vec4[i];
            const base = result4 + i * 16;var {name: v1_0, value: v1_1 } = e;
            
            var encodeRes = _utf8AllocateAndEncode(v1_0, realloc0, memory0);
            var ptr2= encodeRes.ptr;
            var len2 = encodeRes.len;
            
            dataView(memory0).setUint32(base + 4, len2, true);
            dataView(memory0).setUint32(base + 0, ptr2, true);
            
            var encodeRes = _utf8AllocateAndEncode(v1_1, realloc0, memory0);
            var ptr3= encodeRes.ptr;
            var len3 = encodeRes.len;
            
            dataView(memory0).setUint32(base + 12, len3, true);
            dataView(memory0).setUint32(base + 8, ptr3, true);
          }
          
          var encodeRes = _utf8AllocateAndEncode(v0_1, realloc0, memory0);
          var ptr5= encodeRes.ptr;
          var len5 = encodeRes.len;
          
          _debugLog('[iface="messaging:integration/messaging@0.2.0", function="handle-event"][Instruction::CallWasm] enter', {
            funcName: 'handle-event',
            paramCount: 4,
            async: false,
            postReturn: true,
          });
          
          let ret;
          
          try {
            ret =  _withGlobalCurrentTaskMeta({
              taskID: task.id(),
              componentIdx: task.componentIdx(),
              fn: () => messaging020HandleEvent(result4, len4, ptr5, len5),
            });
          } catch (err) {
            
            _debugLog('[Instruction::CallWasm] error during sync call', {
              taskID: task.id(),
              err,
            });
            getOrCreateAsyncState(0).markTrapped(err);
            task.setErrored(err);
            task.reject(err);
            task.exit();
            throw err;
            
          }
          
          let variant66;
          switch (dataView(memory0).getUint8(ret + 0, true)) {
            case 0: {
              var ptr6 = dataView(memory0).getUint32(ret + 4, true);
              var len6 = dataView(memory0).getUint32(ret + 8, true);
              var result6 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr6, len6));
              var ptr7 = dataView(memory0).getUint32(ret + 12, true);
              var len7 = dataView(memory0).getUint32(ret + 16, true);
              var result7 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr7, len7));
              var ptr8 = dataView(memory0).getUint32(ret + 20, true);
              var len8 = dataView(memory0).getUint32(ret + 24, true);
              var result8 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr8, len8));
              var ptr9 = dataView(memory0).getUint32(ret + 28, true);
              var len9 = dataView(memory0).getUint32(ret + 32, true);
              var result9 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr9, len9));
              variant66= {
                tag: 'ok',
                val: {
                  idempotencyKey: result6,
                  messageId: result7,
                  kind: result8,
                  json: result9,
                }
              };
              break;
            }
            case 1: {
              let variant65;
              switch (dataView(memory0).getUint8(ret + 4, true)) {
                case 0: {
                  variant65= {
                    tag: 'execution-failed',
                  };
                  break;
                }
                case 1: {
                  var ptr10 = dataView(memory0).getUint32(ret + 8, true);
                  var len10 = dataView(memory0).getUint32(ret + 12, true);
                  var result10 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr10, len10));
                  var ptr11 = dataView(memory0).getUint32(ret + 16, true);
                  var len11 = dataView(memory0).getUint32(ret + 20, true);
                  var result11 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr11, len11));
                  variant65= {
                    tag: 'permanent-invalid-input',
                    val: {
                      field: result10,
                      detail: result11,
                    }
                  };
                  break;
                }
                case 2: {
                  var ptr12 = dataView(memory0).getUint32(ret + 8, true);
                  var len12 = dataView(memory0).getUint32(ret + 12, true);
                  var result12 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr12, len12));
                  var ptr13 = dataView(memory0).getUint32(ret + 16, true);
                  var len13 = dataView(memory0).getUint32(ret + 20, true);
                  var result13 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr13, len13));
                  variant65= {
                    tag: 'permanent-invalid-settings',
                    val: {
                      setting: result12,
                      detail: result13,
                    }
                  };
                  break;
                }
                case 3: {
                  let variant15;
                  switch (dataView(memory0).getUint8(ret + 12, true)) {
                    case 0: {
                      variant15 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr14 = dataView(memory0).getUint32(ret + 16, true);
                      var len14 = dataView(memory0).getUint32(ret + 20, true);
                      var result14 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr14, len14));
                      variant15 = result14;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant17;
                  switch (dataView(memory0).getUint8(ret + 24, true)) {
                    case 0: {
                      variant17 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr16 = dataView(memory0).getUint32(ret + 28, true);
                      var len16 = dataView(memory0).getUint32(ret + 32, true);
                      var result16 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr16, len16));
                      variant17 = result16;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  var len21 = dataView(memory0).getUint32(ret + 40, true);
                  var base21 = dataView(memory0).getUint32(ret + 36, true);
                  if (base21 % 4 !== 0) throw new TypeError(`list pointer [${base21}] is not aligned to 4`);
                  var result21 = [];
                  for (let i = 0; i < len21; i++) {
                    const base = base21 + i * 20;
                    let variant19;
                    switch (dataView(memory0).getUint8(base + 0, true)) {
                      case 0: {
                        variant19 = undefined;
                        break;
                      }
                      case 1: {
                        var ptr18 = dataView(memory0).getUint32(base + 4, true);
                        var len18 = dataView(memory0).getUint32(base + 8, true);
                        var result18 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr18, len18));
                        variant19 = result18;
                        break;
                      }
                      default: {
                        throw new TypeError('invalid variant discriminant for option');
                      }
                    }
                    var ptr20 = dataView(memory0).getUint32(base + 12, true);
                    var len20 = dataView(memory0).getUint32(base + 16, true);
                    var result20 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr20, len20));
                    result21.push({
                      field: variant19,
                      message: result20,
                    });
                  }
                  var ptr22 = dataView(memory0).getUint32(ret + 44, true);
                  var len22 = dataView(memory0).getUint32(ret + 48, true);
                  var result22 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr22, len22));
                  variant65= {
                    tag: 'permanent-unauthorized',
                    val: {
                      status: clampGuest(dataView(memory0).getUint16(ret + 8, true), 0, 65535),
                      code: variant15,
                      message: variant17,
                      details: result21,
                      body: result22,
                    }
                  };
                  break;
                }
                case 4: {
                  let variant24;
                  switch (dataView(memory0).getUint8(ret + 12, true)) {
                    case 0: {
                      variant24 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr23 = dataView(memory0).getUint32(ret + 16, true);
                      var len23 = dataView(memory0).getUint32(ret + 20, true);
                      var result23 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr23, len23));
                      variant24 = result23;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant26;
                  switch (dataView(memory0).getUint8(ret + 24, true)) {
                    case 0: {
                      variant26 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr25 = dataView(memory0).getUint32(ret + 28, true);
                      var len25 = dataView(memory0).getUint32(ret + 32, true);
                      var result25 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr25, len25));
                      variant26 = result25;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  var len30 = dataView(memory0).getUint32(ret + 40, true);
                  var base30 = dataView(memory0).getUint32(ret + 36, true);
                  if (base30 % 4 !== 0) throw new TypeError(`list pointer [${base30}] is not aligned to 4`);
                  var result30 = [];
                  for (let i = 0; i < len30; i++) {
                    const base = base30 + i * 20;
                    let variant28;
                    switch (dataView(memory0).getUint8(base + 0, true)) {
                      case 0: {
                        variant28 = undefined;
                        break;
                      }
                      case 1: {
                        var ptr27 = dataView(memory0).getUint32(base + 4, true);
                        var len27 = dataView(memory0).getUint32(base + 8, true);
                        var result27 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr27, len27));
                        variant28 = result27;
                        break;
                      }
                      default: {
                        throw new TypeError('invalid variant discriminant for option');
                      }
                    }
                    var ptr29 = dataView(memory0).getUint32(base + 12, true);
                    var len29 = dataView(memory0).getUint32(base + 16, true);
                    var result29 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr29, len29));
                    result30.push({
                      field: variant28,
                      message: result29,
                    });
                  }
                  var ptr31 = dataView(memory0).getUint32(ret + 44, true);
                  var len31 = dataView(memory0).getUint32(ret + 48, true);
                  var result31 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr31, len31));
                  variant65= {
                    tag: 'permanent-refused',
                    val: {
                      status: clampGuest(dataView(memory0).getUint16(ret + 8, true), 0, 65535),
                      code: variant24,
                      message: variant26,
                      details: result30,
                      body: result31,
                    }
                  };
                  break;
                }
                case 5: {
                  let enum32;
                  switch (dataView(memory0).getUint8(ret + 8, true)) {
                    case 0: {
                      enum32 = 'sending-request';
                      break;
                    }
                    case 1: {
                      enum32 = 'awaiting-reply';
                      break;
                    }
                    case 2: {
                      enum32 = 'reading-reply';
                      break;
                    }
                    case 3: {
                      enum32 = 'reply-unclear';
                      break;
                    }
                    default: {
                      throw new TypeError('invalid discriminant specified for Stage');
                    }
                  }
                  var ptr33 = dataView(memory0).getUint32(ret + 12, true);
                  var len33 = dataView(memory0).getUint32(ret + 16, true);
                  var result33 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr33, len33));
                  let variant34;
                  switch (dataView(memory0).getUint8(ret + 20, true)) {
                    case 0: {
                      variant34 = undefined;
                      break;
                    }
                    case 1: {
                      variant34 = clampGuest(dataView(memory0).getUint16(ret + 22, true), 0, 65535);
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant44;
                  switch (dataView(memory0).getUint8(ret + 24, true)) {
                    case 0: {
                      variant44 = undefined;
                      break;
                    }
                    case 1: {
                      let variant36;
                      switch (dataView(memory0).getUint8(ret + 32, true)) {
                        case 0: {
                          variant36 = undefined;
                          break;
                        }
                        case 1: {
                          var ptr35 = dataView(memory0).getUint32(ret + 36, true);
                          var len35 = dataView(memory0).getUint32(ret + 40, true);
                          var result35 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr35, len35));
                          variant36 = result35;
                          break;
                        }
                        default: {
                          throw new TypeError('invalid variant discriminant for option');
                        }
                      }
                      let variant38;
                      switch (dataView(memory0).getUint8(ret + 44, true)) {
                        case 0: {
                          variant38 = undefined;
                          break;
                        }
                        case 1: {
                          var ptr37 = dataView(memory0).getUint32(ret + 48, true);
                          var len37 = dataView(memory0).getUint32(ret + 52, true);
                          var result37 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr37, len37));
                          variant38 = result37;
                          break;
                        }
                        default: {
                          throw new TypeError('invalid variant discriminant for option');
                        }
                      }
                      var len42 = dataView(memory0).getUint32(ret + 60, true);
                      var base42 = dataView(memory0).getUint32(ret + 56, true);
                      if (base42 % 4 !== 0) throw new TypeError(`list pointer [${base42}] is not aligned to 4`);
                      var result42 = [];
                      for (let i = 0; i < len42; i++) {
                        const base = base42 + i * 20;
                        let variant40;
                        switch (dataView(memory0).getUint8(base + 0, true)) {
                          case 0: {
                            variant40 = undefined;
                            break;
                          }
                          case 1: {
                            var ptr39 = dataView(memory0).getUint32(base + 4, true);
                            var len39 = dataView(memory0).getUint32(base + 8, true);
                            var result39 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr39, len39));
                            variant40 = result39;
                            break;
                          }
                          default: {
                            throw new TypeError('invalid variant discriminant for option');
                          }
                        }
                        var ptr41 = dataView(memory0).getUint32(base + 12, true);
                        var len41 = dataView(memory0).getUint32(base + 16, true);
                        var result41 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr41, len41));
                        result42.push({
                          field: variant40,
                          message: result41,
                        });
                      }
                      var ptr43 = dataView(memory0).getUint32(ret + 64, true);
                      var len43 = dataView(memory0).getUint32(ret + 68, true);
                      var result43 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr43, len43));
                      variant44 = {
                        status: clampGuest(dataView(memory0).getUint16(ret + 28, true), 0, 65535),
                        code: variant36,
                        message: variant38,
                        details: result42,
                        body: result43,
                      };
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  variant65= {
                    tag: 'permanent-outcome-unknown',
                    val: {
                      stage: enum32,
                      detail: result33,
                      status: variant34,
                      refusal: variant44,
                    }
                  };
                  break;
                }
                case 6: {
                  var ptr45 = dataView(memory0).getUint32(ret + 12, true);
                  var len45 = dataView(memory0).getUint32(ret + 16, true);
                  var result45 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr45, len45));
                  var ptr46 = dataView(memory0).getUint32(ret + 20, true);
                  var len46 = dataView(memory0).getUint32(ret + 24, true);
                  var result46 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr46, len46));
                  variant65= {
                    tag: 'permanent-unexpected-reply',
                    val: {
                      status: clampGuest(dataView(memory0).getUint16(ret + 8, true), 0, 65535),
                      path: result45,
                      detail: result46,
                    }
                  };
                  break;
                }
                case 7: {
                  var ptr47 = dataView(memory0).getUint32(ret + 8, true);
                  var len47 = dataView(memory0).getUint32(ret + 12, true);
                  var result47 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr47, len47));
                  variant65= {
                    tag: 'permanent-denied',
                    val: {
                      detail: result47,
                    }
                  };
                  break;
                }
                case 8: {
                  let variant48;
                  switch (dataView(memory0).getUint8(ret + 8, true)) {
                    case 0: {
                      variant48 = undefined;
                      break;
                    }
                    case 1: {
                      variant48 = dataView(memory0).getInt32(ret + 12, true) >>> 0;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant50;
                  switch (dataView(memory0).getUint8(ret + 20, true)) {
                    case 0: {
                      variant50 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr49 = dataView(memory0).getUint32(ret + 24, true);
                      var len49 = dataView(memory0).getUint32(ret + 28, true);
                      var result49 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr49, len49));
                      variant50 = result49;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant52;
                  switch (dataView(memory0).getUint8(ret + 32, true)) {
                    case 0: {
                      variant52 = undefined;
                      break;
                    }
                    case 1: {
                      var ptr51 = dataView(memory0).getUint32(ret + 36, true);
                      var len51 = dataView(memory0).getUint32(ret + 40, true);
                      var result51 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr51, len51));
                      variant52 = result51;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  var len56 = dataView(memory0).getUint32(ret + 48, true);
                  var base56 = dataView(memory0).getUint32(ret + 44, true);
                  if (base56 % 4 !== 0) throw new TypeError(`list pointer [${base56}] is not aligned to 4`);
                  var result56 = [];
                  for (let i = 0; i < len56; i++) {
                    const base = base56 + i * 20;
                    let variant54;
                    switch (dataView(memory0).getUint8(base + 0, true)) {
                      case 0: {
                        variant54 = undefined;
                        break;
                      }
                      case 1: {
                        var ptr53 = dataView(memory0).getUint32(base + 4, true);
                        var len53 = dataView(memory0).getUint32(base + 8, true);
                        var result53 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr53, len53));
                        variant54 = result53;
                        break;
                      }
                      default: {
                        throw new TypeError('invalid variant discriminant for option');
                      }
                    }
                    var ptr55 = dataView(memory0).getUint32(base + 12, true);
                    var len55 = dataView(memory0).getUint32(base + 16, true);
                    var result55 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr55, len55));
                    result56.push({
                      field: variant54,
                      message: result55,
                    });
                  }
                  var ptr57 = dataView(memory0).getUint32(ret + 52, true);
                  var len57 = dataView(memory0).getUint32(ret + 56, true);
                  var result57 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr57, len57));
                  variant65= {
                    tag: 'rate-limited',
                    val: {
                      retryAfterMs: variant48,
                      refusal: {
                        status: clampGuest(dataView(memory0).getUint16(ret + 16, true), 0, 65535),
                        code: variant50,
                        message: variant52,
                        details: result56,
                        body: result57,
                      },
                    }
                  };
                  break;
                }
                case 9: {
                  var ptr58 = dataView(memory0).getUint32(ret + 8, true);
                  var len58 = dataView(memory0).getUint32(ret + 12, true);
                  var result58 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr58, len58));
                  variant65= {
                    tag: 'not-sent',
                    val: {
                      detail: result58,
                    }
                  };
                  break;
                }
                case 10: {
                  var ptr59 = dataView(memory0).getUint32(ret + 8, true);
                  var len59 = dataView(memory0).getUint32(ret + 12, true);
                  var result59 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr59, len59));
                  let variant60;
                  switch (dataView(memory0).getUint8(ret + 16, true)) {
                    case 0: {
                      variant60 = undefined;
                      break;
                    }
                    case 1: {
                      variant60 = clampGuest(dataView(memory0).getUint16(ret + 18, true), 0, 65535);
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant61;
                  switch (dataView(memory0).getUint8(ret + 20, true)) {
                    case 0: {
                      variant61 = undefined;
                      break;
                    }
                    case 1: {
                      variant61 = dataView(memory0).getInt32(ret + 24, true) >>> 0;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  variant65= {
                    tag: 'unavailable',
                    val: {
                      detail: result59,
                      status: variant60,
                      retryAfterMs: variant61,
                    }
                  };
                  break;
                }
                case 11: {
                  var ptr62 = dataView(memory0).getUint32(ret + 8, true);
                  var len62 = dataView(memory0).getUint32(ret + 12, true);
                  var result62 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr62, len62));
                  var ptr63 = dataView(memory0).getUint32(ret + 16, true);
                  var len63 = dataView(memory0).getUint32(ret + 20, true);
                  var result63 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr63, len63));
                  let variant64;
                  switch (dataView(memory0).getUint8(ret + 24, true)) {
                    case 0: {
                      variant64 = undefined;
                      break;
                    }
                    case 1: {
                      variant64 = clampGuest(dataView(memory0).getUint16(ret + 26, true), 0, 65535);
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  variant65= {
                    tag: 'permanent-other',
                    val: {
                      code: result62,
                      detail: result63,
                      status: variant64,
                    }
                  };
                  break;
                }
                default: {
                  throw new TypeError('invalid variant discriminant for Error');
                }
              }
              variant66= {
                tag: 'err',
                val: variant65
              };
              break;
            }
            default: {
              throw new TypeError('invalid variant discriminant for expected');
            }
          }
          _debugLog('[iface="messaging:integration/messaging@0.2.0", function="handle-event"][Instruction::Return]', {
            funcName: 'handle-event',
            paramCount: 1,
            async: false,
            postReturn: true
          });
          const retCopy = variant66;
          task.resolve([retCopy.val]);
          
          let cstate = getOrCreateAsyncState(0);
          cstate.mayLeave = false;
          postReturn2(ret);
          cstate.mayLeave = true;
          task.exit();
          
          
          
          if (typeof retCopy === 'object' && retCopy.tag === 'err') {
            throw retCopy.val;
          }
          return retCopy.val;
          
          
        } catch (err) {
          if (!task.isResolvedState()) {
            task.setErrored(err);
            task.reject(err);
          }
          if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
          throw err;
        }
      },
    });
    
  }
  let trampoline0 = _trampoline0.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 0,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline0.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 0,
      tableIdx: 4,
      classNameFn: () => Fields,
      createResourceFn: 
      (handle) => {
        const rep = handleTable4[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable4.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(Fields.prototype);
          Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
          Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
        } else {
          captureTable4.delete(rep);
        }
        rscTableRemove(handleTable4, handle);
        return resourceObj;
      }
      ,
    })
    ],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 5,
      lowerFn: 
      function lowerImportedOwnedHost_OutgoingRequest(obj) {
        if (!(obj instanceof OutgoingRequest)) {
          throw new TypeError('Resource error: Not a valid \"OutgoingRequest\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt5;
          captureTable5.set(rep, obj);
          handle = rscTableCreateOwn(handleTable5, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline0,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 0,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline0.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 0,
      tableIdx: 4,
      classNameFn: () => Fields,
      createResourceFn: 
      (handle) => {
        const rep = handleTable4[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable4.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(Fields.prototype);
          Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
          Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
        } else {
          captureTable4.delete(rep);
        }
        rscTableRemove(handleTable4, handle);
        return resourceObj;
      }
      ,
    })
    ],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 5,
      lowerFn: 
      function lowerImportedOwnedHost_OutgoingRequest(obj) {
        if (!(obj instanceof OutgoingRequest)) {
          throw new TypeError('Resource error: Not a valid \"OutgoingRequest\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt5;
          captureTable5.set(rep, obj);
          handle = rscTableCreateOwn(handleTable5, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline0,
  },
  );
  let trampoline1 = _trampoline1.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 1,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline1.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 2)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 0,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt0;
          captureTable0.set(rep, obj);
          handle = rscTableCreateOwn(handleTable0, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline1,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 1,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline1.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 2)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 0,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt0;
          captureTable0.set(rep, obj);
          handle = rscTableCreateOwn(handleTable0, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline1,
  },
  );
  let trampoline2 = _trampoline2.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 2,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline2.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 8)],
    resultLowerFns: [_lowerFlatU16],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline2,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 2,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline2.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 8)],
    resultLowerFns: [_lowerFlatU16],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline2,
  },
  );
  let trampoline3 = _trampoline3.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 3,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline3.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 8)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 4,
      lowerFn: 
      function lowerImportedOwnedHost_Fields(obj) {
        if (!(obj instanceof Fields)) {
          throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt4;
          captureTable4.set(rep, obj);
          handle = rscTableCreateOwn(handleTable4, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline3,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 3,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline3.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 8)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 4,
      lowerFn: 
      function lowerImportedOwnedHost_Fields(obj) {
        if (!(obj instanceof Fields)) {
          throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt4;
          captureTable4.set(rep, obj);
          handle = rscTableCreateOwn(handleTable4, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline3,
  },
  );
  let trampoline4 = _trampoline4.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 4,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline4.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 3)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 0,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt0;
          captureTable0.set(rep, obj);
          handle = rscTableCreateOwn(handleTable0, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline4,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 4,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline4.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 3)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 0,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt0;
          captureTable0.set(rep, obj);
          handle = rscTableCreateOwn(handleTable0, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline4,
  },
  );
  function trampoline5(handle) {
    const handleEntry = rscTableRemove(handleTable3, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable3.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable3.delete(handleEntry.rep);
      } else if (InputStream[symbolCabiDispose]) {
        InputStream[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline6(handle) {
    const handleEntry = rscTableRemove(handleTable9, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable9.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable9.delete(handleEntry.rep);
      } else if (IncomingBody[symbolCabiDispose]) {
        IncomingBody[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline7(handle) {
    const handleEntry = rscTableRemove(handleTable8, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable8.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable8.delete(handleEntry.rep);
      } else if (IncomingResponse[symbolCabiDispose]) {
        IncomingResponse[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline8(handle) {
    const handleEntry = rscTableRemove(handleTable2, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable2.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable2.delete(handleEntry.rep);
      } else if (OutputStream[symbolCabiDispose]) {
        OutputStream[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline9(handle) {
    const handleEntry = rscTableRemove(handleTable7, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable7.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable7.delete(handleEntry.rep);
      } else if (FutureIncomingResponse[symbolCabiDispose]) {
        FutureIncomingResponse[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  let trampoline10 = _trampoline10.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 10,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline10.manuallyAsync,
    paramLiftFns: [],
    resultLowerFns: [_lowerFlatU64],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline10,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 10,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline10.manuallyAsync,
    paramLiftFns: [],
    resultLowerFns: [_lowerFlatU64],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline10,
  },
  );
  let trampoline11 = _trampoline11.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 11,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline11.manuallyAsync,
    paramLiftFns: [_liftFlatU64],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 0,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt0;
          captureTable0.set(rep, obj);
          handle = rscTableCreateOwn(handleTable0, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline11,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 11,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline11.manuallyAsync,
    paramLiftFns: [_liftFlatU64],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 0,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt0;
          captureTable0.set(rep, obj);
          handle = rscTableCreateOwn(handleTable0, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline11,
  },
  );
  let trampoline12 = _trampoline12.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 12,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline12.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 0)],
    resultLowerFns: [],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline12,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 12,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline12.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 0)],
    resultLowerFns: [],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline12,
  },
  );
  function trampoline13(handle) {
    const handleEntry = rscTableRemove(handleTable0, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable0.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable0.delete(handleEntry.rep);
      } else if (Pollable[symbolCabiDispose]) {
        Pollable[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  let trampoline14 = _trampoline14.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 14,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline14.manuallyAsync,
    paramLiftFns: [_liftFlatU64],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 0,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt0;
          captureTable0.set(rep, obj);
          handle = rscTableCreateOwn(handleTable0, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline14,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 14,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline14.manuallyAsync,
    paramLiftFns: [_liftFlatU64],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 0,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt0;
          captureTable0.set(rep, obj);
          handle = rscTableCreateOwn(handleTable0, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline14,
  },
  );
  function trampoline15(handle) {
    const handleEntry = rscTableRemove(handleTable1, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable1.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable1.delete(handleEntry.rep);
      } else if (Error$1[symbolCabiDispose]) {
        Error$1[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  let trampoline16 = _trampoline16.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 16,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline16.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 0)],
    resultLowerFns: [_lowerFlatBool],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline16,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 16,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline16.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 0)],
    resultLowerFns: [_lowerFlatBool],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline16,
  },
  );
  function trampoline17(handle) {
    const handleEntry = rscTableRemove(handleTable5, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable5.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable5.delete(handleEntry.rep);
      } else if (OutgoingRequest[symbolCabiDispose]) {
        OutgoingRequest[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline18(handle) {
    const handleEntry = rscTableRemove(handleTable4, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable4.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable4.delete(handleEntry.rep);
      } else if (Fields[symbolCabiDispose]) {
        Fields[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline19(handle) {
    const handleEntry = rscTableRemove(handleTable6, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable6.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable6.delete(handleEntry.rep);
      } else if (OutgoingBody[symbolCabiDispose]) {
        OutgoingBody[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  let trampoline20 = _trampoline20.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 20,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline20.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 7)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 0,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt0;
          captureTable0.set(rep, obj);
          handle = rscTableCreateOwn(handleTable0, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline20,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 20,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline20.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 7)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 0,
      tableIdx: 0,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt0;
          captureTable0.set(rep, obj);
          handle = rscTableCreateOwn(handleTable0, rep);
        }
        return handle;
      }
      ,
    })],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline20,
  },
  );
  let trampoline21 = _trampoline21.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 21,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline21.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 4),_liftFlatStringAny],
    resultLowerFns: [_lowerFlatList({
      elemLowerFn: _lowerFlatList({
        elemLowerFn: _lowerFlatU8,
        elemSize32: 1,
        elemAlign32: 1,
      }),
      elemSize32: 8,
      elemAlign32: 4,
    })],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline21,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 21,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline21.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 4),_liftFlatStringAny],
    resultLowerFns: [_lowerFlatList({
      elemLowerFn: _lowerFlatList({
        elemLowerFn: _lowerFlatU8,
        elemSize32: 1,
        elemAlign32: 1,
      }),
      elemSize32: 8,
      elemAlign32: 4,
    })],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline21,
  },
  );
  let trampoline22 = _trampoline22.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 22,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline22.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 5),_liftFlatVariant({
      caseMetas: [['get', null, 0, 0, 0, []],['head', null, 0, 0, 0, []],['post', null, 0, 0, 0, []],['put', null, 0, 0, 0, []],['delete', null, 0, 0, 0, []],['connect', null, 0, 0, 0, []],['options', null, 0, 0, 0, []],['trace', null, 0, 0, 0, []],['patch', null, 0, 0, 0, []],['other', _liftFlatStringAny, 8, 4, 2, ['i32','i32']],],
      variantSize32: 12,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 3,
      variantPayloadFlatTypes: ['i32','i32'],
    } )],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 1, 1, 1 ],
      [ 'err', null, 1, 1, 1 ],
      ],
      variantSize32: 1,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 1,
    })
    ],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline22,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 22,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline22.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 5),_liftFlatVariant({
      caseMetas: [['get', null, 0, 0, 0, []],['head', null, 0, 0, 0, []],['post', null, 0, 0, 0, []],['put', null, 0, 0, 0, []],['delete', null, 0, 0, 0, []],['connect', null, 0, 0, 0, []],['options', null, 0, 0, 0, []],['trace', null, 0, 0, 0, []],['patch', null, 0, 0, 0, []],['other', _liftFlatStringAny, 8, 4, 2, ['i32','i32']],],
      variantSize32: 12,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 3,
      variantPayloadFlatTypes: ['i32','i32'],
    } )],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 1, 1, 1 ],
      [ 'err', null, 1, 1, 1 ],
      ],
      variantSize32: 1,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 1,
    })
    ],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline22,
  },
  );
  let trampoline23 = _trampoline23.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 23,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline23.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 5),
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatVariant({
        caseMetas: [['HTTP', null, 0, 0, 0, []],['HTTPS', null, 0, 0, 0, []],['other', _liftFlatStringAny, 8, 4, 2, ['i32','i32']],],
        variantSize32: 12,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 3,
        variantPayloadFlatTypes: ['i32','i32'],
      } ), 12, 4, 3, ['i32','i32','i32'] ],
      ],
      variantSize32: 16,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 4,
      variantPayloadFlatTypes: ['i32','i32','i32'],
      payloadMaybeNull: false,
    })
    ],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 1, 1, 1 ],
      [ 'err', null, 1, 1, 1 ],
      ],
      variantSize32: 1,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 1,
    })
    ],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline23,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 23,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline23.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 5),
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatVariant({
        caseMetas: [['HTTP', null, 0, 0, 0, []],['HTTPS', null, 0, 0, 0, []],['other', _liftFlatStringAny, 8, 4, 2, ['i32','i32']],],
        variantSize32: 12,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 3,
        variantPayloadFlatTypes: ['i32','i32'],
      } ), 12, 4, 3, ['i32','i32','i32'] ],
      ],
      variantSize32: 16,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 4,
      variantPayloadFlatTypes: ['i32','i32','i32'],
      payloadMaybeNull: false,
    })
    ],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 1, 1, 1 ],
      [ 'err', null, 1, 1, 1 ],
      ],
      variantSize32: 1,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 1,
    })
    ],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline23,
  },
  );
  let trampoline24 = _trampoline24.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 24,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline24.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 5),
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatStringAny, 8, 4, 2, ['i32','i32'] ],
      ],
      variantSize32: 12,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 3,
      variantPayloadFlatTypes: ['i32','i32'],
      payloadMaybeNull: false,
    })
    ],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 1, 1, 1 ],
      [ 'err', null, 1, 1, 1 ],
      ],
      variantSize32: 1,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 1,
    })
    ],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline24,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 24,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline24.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 5),
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatStringAny, 8, 4, 2, ['i32','i32'] ],
      ],
      variantSize32: 12,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 3,
      variantPayloadFlatTypes: ['i32','i32'],
      payloadMaybeNull: false,
    })
    ],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 1, 1, 1 ],
      [ 'err', null, 1, 1, 1 ],
      ],
      variantSize32: 1,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 1,
    })
    ],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline24,
  },
  );
  let trampoline25 = _trampoline25.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 25,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline25.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 5),
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatStringAny, 8, 4, 2, ['i32','i32'] ],
      ],
      variantSize32: 12,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 3,
      variantPayloadFlatTypes: ['i32','i32'],
      payloadMaybeNull: false,
    })
    ],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 1, 1, 1 ],
      [ 'err', null, 1, 1, 1 ],
      ],
      variantSize32: 1,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 1,
    })
    ],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline25,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 25,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline25.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 5),
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatStringAny, 8, 4, 2, ['i32','i32'] ],
      ],
      variantSize32: 12,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 3,
      variantPayloadFlatTypes: ['i32','i32'],
      payloadMaybeNull: false,
    })
    ],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 1, 1, 1 ],
      [ 'err', null, 1, 1, 1 ],
      ],
      variantSize32: 1,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 1,
    })
    ],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline25,
  },
  );
  let trampoline26 = _trampoline26.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 26,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline26.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 5)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 0,
        tableIdx: 6,
        lowerFn: 
        function lowerImportedOwnedHost_OutgoingBody(obj) {
          if (!(obj instanceof OutgoingBody)) {
            throw new TypeError('Resource error: Not a valid \"OutgoingBody\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt6;
            captureTable6.set(rep, obj);
            handle = rscTableCreateOwn(handleTable6, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', null, 8, 4, 4 ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline26,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 26,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline26.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 5)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 0,
        tableIdx: 6,
        lowerFn: 
        function lowerImportedOwnedHost_OutgoingBody(obj) {
          if (!(obj instanceof OutgoingBody)) {
            throw new TypeError('Resource error: Not a valid \"OutgoingBody\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt6;
            captureTable6.set(rep, obj);
            handle = rscTableCreateOwn(handleTable6, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', null, 8, 4, 4 ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline26,
  },
  );
  let trampoline27 = _trampoline27.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 27,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline27.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 6)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 0,
        tableIdx: 2,
        lowerFn: 
        function lowerImportedOwnedHost_OutputStream(obj) {
          if (!(obj instanceof OutputStream)) {
            throw new TypeError('Resource error: Not a valid \"OutputStream\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt2;
            captureTable2.set(rep, obj);
            handle = rscTableCreateOwn(handleTable2, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', null, 8, 4, 4 ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline27,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 27,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline27.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 6)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 0,
        tableIdx: 2,
        lowerFn: 
        function lowerImportedOwnedHost_OutputStream(obj) {
          if (!(obj instanceof OutputStream)) {
            throw new TypeError('Resource error: Not a valid \"OutputStream\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt2;
            captureTable2.set(rep, obj);
            handle = rscTableCreateOwn(handleTable2, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', null, 8, 4, 4 ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline27,
  },
  );
  let trampoline28 = _trampoline28.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 28,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline28.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 0,
      tableIdx: 6,
      classNameFn: () => OutgoingBody,
      createResourceFn: 
      (handle) => {
        const rep = handleTable6[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable6.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(OutgoingBody.prototype);
          Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
          Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
        } else {
          captureTable6.delete(rep);
        }
        rscTableRemove(handleTable6, handle);
        return resourceObj;
      }
      ,
    })
    ,
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatOwn({
        componentIdx: 0,
        tableIdx: 4,
        classNameFn: () => Fields,
        createResourceFn: 
        (handle) => {
          const rep = handleTable4[(handle << 1) + 1] & ~T_FLAG;
          let resourceObj = captureTable4.get(rep);
          if (!resourceObj) {
            resourceObj = Object.create(Fields.prototype);
            Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
            Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
          } else {
            captureTable4.delete(rep);
          }
          rscTableRemove(handleTable4, handle);
          return resourceObj;
        }
        ,
      })
      , 4, 4, 1, ['i32'] ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
      variantPayloadFlatTypes: ['i32'],
      payloadMaybeNull: false,
    })
    ],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 40, 8, 8 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'DNS-timeout', null, 0, 0, 0 ],[ 'DNS-error', _lowerFlatRecord({ fieldMetas: [['rcode', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['infoCode', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU16, 2, 2, 1],
          ],
          variantSize32: 4,
          variantAlign32: 2,
          variantPayloadOffset32: 2,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 4, 2 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'destination-not-found', null, 0, 0, 0 ],[ 'destination-unavailable', null, 0, 0, 0 ],[ 'destination-IP-prohibited', null, 0, 0, 0 ],[ 'destination-IP-unroutable', null, 0, 0, 0 ],[ 'connection-refused', null, 0, 0, 0 ],[ 'connection-terminated', null, 0, 0, 0 ],[ 'connection-timeout', null, 0, 0, 0 ],[ 'connection-read-timeout', null, 0, 0, 0 ],[ 'connection-write-timeout', null, 0, 0, 0 ],[ 'connection-limit-reached', null, 0, 0, 0 ],[ 'TLS-protocol-error', null, 0, 0, 0 ],[ 'TLS-certificate-error', null, 0, 0, 0 ],[ 'TLS-alert-received', _lowerFlatRecord({ fieldMetas: [['alertId', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU8, 1, 1, 1],
          ],
          variantSize32: 2,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 2, 1 ],['alertMessage', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'HTTP-request-denied', null, 0, 0, 0 ],[ 'HTTP-request-length-required', null, 0, 0, 0 ],[ 'HTTP-request-body-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU64, 8, 8, 1],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 16, 8, 2 ],[ 'HTTP-request-method-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-too-long', null, 0, 0, 0 ],[ 'HTTP-request-header-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-request-header-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatRecord({ fieldMetas: [['fieldName', 
          _lowerFlatOption({
            caseMetas: [
            [ 'none', null, 0, 0, 0 ],
            [ 'some', _lowerFlatStringAny, 8, 4, 2],
            ],
            variantSize32: 12,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 3,
            payloadMaybeNull: false,
          })
          , 12, 4 ],['fieldSize', 
          _lowerFlatOption({
            caseMetas: [
            [ 'none', null, 0, 0, 0 ],
            [ 'some', _lowerFlatU32, 4, 4, 1],
            ],
            variantSize32: 8,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 2,
            payloadMaybeNull: false,
          })
          , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5],
          ],
          variantSize32: 24,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 6,
          payloadMaybeNull: false,
        })
        , 24, 4, 6 ],[ 'HTTP-request-trailer-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-request-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-incomplete', null, 0, 0, 0 ],[ 'HTTP-response-header-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-response-header-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-body-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU64, 8, 8, 1],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 16, 8, 2 ],[ 'HTTP-response-trailer-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-response-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-transfer-coding', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],[ 'HTTP-response-content-coding', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],[ 'HTTP-response-timeout', null, 0, 0, 0 ],[ 'HTTP-upgrade-failed', null, 0, 0, 0 ],[ 'HTTP-protocol-error', null, 0, 0, 0 ],[ 'loop-detected', null, 0, 0, 0 ],[ 'configuration-error', null, 0, 0, 0 ],[ 'internal-error', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],],
        variantSize32: 32,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 7,
      } ), 40, 8, 8 ],
      ],
      variantSize32: 40,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 8,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline28,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 28,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline28.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 0,
      tableIdx: 6,
      classNameFn: () => OutgoingBody,
      createResourceFn: 
      (handle) => {
        const rep = handleTable6[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable6.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(OutgoingBody.prototype);
          Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
          Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
        } else {
          captureTable6.delete(rep);
        }
        rscTableRemove(handleTable6, handle);
        return resourceObj;
      }
      ,
    })
    ,
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatOwn({
        componentIdx: 0,
        tableIdx: 4,
        classNameFn: () => Fields,
        createResourceFn: 
        (handle) => {
          const rep = handleTable4[(handle << 1) + 1] & ~T_FLAG;
          let resourceObj = captureTable4.get(rep);
          if (!resourceObj) {
            resourceObj = Object.create(Fields.prototype);
            Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
            Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
          } else {
            captureTable4.delete(rep);
          }
          rscTableRemove(handleTable4, handle);
          return resourceObj;
        }
        ,
      })
      , 4, 4, 1, ['i32'] ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
      variantPayloadFlatTypes: ['i32'],
      payloadMaybeNull: false,
    })
    ],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 40, 8, 8 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'DNS-timeout', null, 0, 0, 0 ],[ 'DNS-error', _lowerFlatRecord({ fieldMetas: [['rcode', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['infoCode', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU16, 2, 2, 1],
          ],
          variantSize32: 4,
          variantAlign32: 2,
          variantPayloadOffset32: 2,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 4, 2 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'destination-not-found', null, 0, 0, 0 ],[ 'destination-unavailable', null, 0, 0, 0 ],[ 'destination-IP-prohibited', null, 0, 0, 0 ],[ 'destination-IP-unroutable', null, 0, 0, 0 ],[ 'connection-refused', null, 0, 0, 0 ],[ 'connection-terminated', null, 0, 0, 0 ],[ 'connection-timeout', null, 0, 0, 0 ],[ 'connection-read-timeout', null, 0, 0, 0 ],[ 'connection-write-timeout', null, 0, 0, 0 ],[ 'connection-limit-reached', null, 0, 0, 0 ],[ 'TLS-protocol-error', null, 0, 0, 0 ],[ 'TLS-certificate-error', null, 0, 0, 0 ],[ 'TLS-alert-received', _lowerFlatRecord({ fieldMetas: [['alertId', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU8, 1, 1, 1],
          ],
          variantSize32: 2,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 2, 1 ],['alertMessage', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'HTTP-request-denied', null, 0, 0, 0 ],[ 'HTTP-request-length-required', null, 0, 0, 0 ],[ 'HTTP-request-body-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU64, 8, 8, 1],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 16, 8, 2 ],[ 'HTTP-request-method-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-too-long', null, 0, 0, 0 ],[ 'HTTP-request-header-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-request-header-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatRecord({ fieldMetas: [['fieldName', 
          _lowerFlatOption({
            caseMetas: [
            [ 'none', null, 0, 0, 0 ],
            [ 'some', _lowerFlatStringAny, 8, 4, 2],
            ],
            variantSize32: 12,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 3,
            payloadMaybeNull: false,
          })
          , 12, 4 ],['fieldSize', 
          _lowerFlatOption({
            caseMetas: [
            [ 'none', null, 0, 0, 0 ],
            [ 'some', _lowerFlatU32, 4, 4, 1],
            ],
            variantSize32: 8,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 2,
            payloadMaybeNull: false,
          })
          , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5],
          ],
          variantSize32: 24,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 6,
          payloadMaybeNull: false,
        })
        , 24, 4, 6 ],[ 'HTTP-request-trailer-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-request-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-incomplete', null, 0, 0, 0 ],[ 'HTTP-response-header-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-response-header-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-body-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU64, 8, 8, 1],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 16, 8, 2 ],[ 'HTTP-response-trailer-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-response-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-transfer-coding', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],[ 'HTTP-response-content-coding', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],[ 'HTTP-response-timeout', null, 0, 0, 0 ],[ 'HTTP-upgrade-failed', null, 0, 0, 0 ],[ 'HTTP-protocol-error', null, 0, 0, 0 ],[ 'loop-detected', null, 0, 0, 0 ],[ 'configuration-error', null, 0, 0, 0 ],[ 'internal-error', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],],
        variantSize32: 32,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 7,
      } ), 40, 8, 8 ],
      ],
      variantSize32: 40,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 8,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline28,
  },
  );
  let trampoline29 = _trampoline29.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 29,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline29.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 7)],
    resultLowerFns: [
    _lowerFlatOption({
      caseMetas: [
      [ 'none', null, 0, 0, 0 ],
      [ 'some', 
      _lowerFlatResult({
        caseMetas: [
        [ 'ok', 
        _lowerFlatResult({
          caseMetas: [
          [ 'ok', _lowerFlatOwn({
            componentIdx: 0,
            tableIdx: 8,
            lowerFn: 
            function lowerImportedOwnedHost_IncomingResponse(obj) {
              if (!(obj instanceof IncomingResponse)) {
                throw new TypeError('Resource error: Not a valid \"IncomingResponse\" resource.');
              }
              let handle = obj[symbolRscHandle];
              if (!handle) {
                const rep = obj[symbolRscRep] || ++captureCnt8;
                captureTable8.set(rep, obj);
                handle = rscTableCreateOwn(handleTable8, rep);
              }
              return handle;
            }
            ,
          }), 40, 8, 8 ],
          [ 'err', _lowerFlatVariant({
            caseMetas: [[ 'DNS-timeout', null, 0, 0, 0 ],[ 'DNS-error', _lowerFlatRecord({ fieldMetas: [['rcode', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4 ],['infoCode', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU16, 2, 2, 1],
              ],
              variantSize32: 4,
              variantAlign32: 2,
              variantPayloadOffset32: 2,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 4, 2 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'destination-not-found', null, 0, 0, 0 ],[ 'destination-unavailable', null, 0, 0, 0 ],[ 'destination-IP-prohibited', null, 0, 0, 0 ],[ 'destination-IP-unroutable', null, 0, 0, 0 ],[ 'connection-refused', null, 0, 0, 0 ],[ 'connection-terminated', null, 0, 0, 0 ],[ 'connection-timeout', null, 0, 0, 0 ],[ 'connection-read-timeout', null, 0, 0, 0 ],[ 'connection-write-timeout', null, 0, 0, 0 ],[ 'connection-limit-reached', null, 0, 0, 0 ],[ 'TLS-protocol-error', null, 0, 0, 0 ],[ 'TLS-certificate-error', null, 0, 0, 0 ],[ 'TLS-alert-received', _lowerFlatRecord({ fieldMetas: [['alertId', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU8, 1, 1, 1],
              ],
              variantSize32: 2,
              variantAlign32: 1,
              variantPayloadOffset32: 1,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 2, 1 ],['alertMessage', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'HTTP-request-denied', null, 0, 0, 0 ],[ 'HTTP-request-length-required', null, 0, 0, 0 ],[ 'HTTP-request-body-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU64, 8, 8, 1],
              ],
              variantSize32: 16,
              variantAlign32: 8,
              variantPayloadOffset32: 8,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 16, 8, 2 ],[ 'HTTP-request-method-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-too-long', null, 0, 0, 0 ],[ 'HTTP-request-header-section-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4, 2 ],[ 'HTTP-request-header-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatRecord({ fieldMetas: [['fieldName', 
              _lowerFlatOption({
                caseMetas: [
                [ 'none', null, 0, 0, 0 ],
                [ 'some', _lowerFlatStringAny, 8, 4, 2],
                ],
                variantSize32: 12,
                variantAlign32: 4,
                variantPayloadOffset32: 4,
                variantFlatCount: 3,
                payloadMaybeNull: false,
              })
              , 12, 4 ],['fieldSize', 
              _lowerFlatOption({
                caseMetas: [
                [ 'none', null, 0, 0, 0 ],
                [ 'some', _lowerFlatU32, 4, 4, 1],
                ],
                variantSize32: 8,
                variantAlign32: 4,
                variantPayloadOffset32: 4,
                variantFlatCount: 2,
                payloadMaybeNull: false,
              })
              , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5],
              ],
              variantSize32: 24,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 6,
              payloadMaybeNull: false,
            })
            , 24, 4, 6 ],[ 'HTTP-request-trailer-section-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4, 2 ],[ 'HTTP-request-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4 ],['fieldSize', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-incomplete', null, 0, 0, 0 ],[ 'HTTP-response-header-section-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4, 2 ],[ 'HTTP-response-header-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4 ],['fieldSize', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-body-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU64, 8, 8, 1],
              ],
              variantSize32: 16,
              variantAlign32: 8,
              variantPayloadOffset32: 8,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 16, 8, 2 ],[ 'HTTP-response-trailer-section-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4, 2 ],[ 'HTTP-response-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4 ],['fieldSize', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-transfer-coding', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4, 3 ],[ 'HTTP-response-content-coding', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4, 3 ],[ 'HTTP-response-timeout', null, 0, 0, 0 ],[ 'HTTP-upgrade-failed', null, 0, 0, 0 ],[ 'HTTP-protocol-error', null, 0, 0, 0 ],[ 'loop-detected', null, 0, 0, 0 ],[ 'configuration-error', null, 0, 0, 0 ],[ 'internal-error', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4, 3 ],],
            variantSize32: 32,
            variantAlign32: 8,
            variantPayloadOffset32: 8,
            variantFlatCount: 7,
          } ), 40, 8, 8 ],
          ],
          variantSize32: 40,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 8,
        })
        , 48, 8, 8 ],
        [ 'err', null, 48, 8, 8 ],
        ],
        variantSize32: 48,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 9,
      })
      , 48, 8, 9],
      ],
      variantSize32: 56,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 10,
      payloadMaybeNull: false,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline29,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 29,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline29.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 7)],
    resultLowerFns: [
    _lowerFlatOption({
      caseMetas: [
      [ 'none', null, 0, 0, 0 ],
      [ 'some', 
      _lowerFlatResult({
        caseMetas: [
        [ 'ok', 
        _lowerFlatResult({
          caseMetas: [
          [ 'ok', _lowerFlatOwn({
            componentIdx: 0,
            tableIdx: 8,
            lowerFn: 
            function lowerImportedOwnedHost_IncomingResponse(obj) {
              if (!(obj instanceof IncomingResponse)) {
                throw new TypeError('Resource error: Not a valid \"IncomingResponse\" resource.');
              }
              let handle = obj[symbolRscHandle];
              if (!handle) {
                const rep = obj[symbolRscRep] || ++captureCnt8;
                captureTable8.set(rep, obj);
                handle = rscTableCreateOwn(handleTable8, rep);
              }
              return handle;
            }
            ,
          }), 40, 8, 8 ],
          [ 'err', _lowerFlatVariant({
            caseMetas: [[ 'DNS-timeout', null, 0, 0, 0 ],[ 'DNS-error', _lowerFlatRecord({ fieldMetas: [['rcode', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4 ],['infoCode', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU16, 2, 2, 1],
              ],
              variantSize32: 4,
              variantAlign32: 2,
              variantPayloadOffset32: 2,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 4, 2 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'destination-not-found', null, 0, 0, 0 ],[ 'destination-unavailable', null, 0, 0, 0 ],[ 'destination-IP-prohibited', null, 0, 0, 0 ],[ 'destination-IP-unroutable', null, 0, 0, 0 ],[ 'connection-refused', null, 0, 0, 0 ],[ 'connection-terminated', null, 0, 0, 0 ],[ 'connection-timeout', null, 0, 0, 0 ],[ 'connection-read-timeout', null, 0, 0, 0 ],[ 'connection-write-timeout', null, 0, 0, 0 ],[ 'connection-limit-reached', null, 0, 0, 0 ],[ 'TLS-protocol-error', null, 0, 0, 0 ],[ 'TLS-certificate-error', null, 0, 0, 0 ],[ 'TLS-alert-received', _lowerFlatRecord({ fieldMetas: [['alertId', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU8, 1, 1, 1],
              ],
              variantSize32: 2,
              variantAlign32: 1,
              variantPayloadOffset32: 1,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 2, 1 ],['alertMessage', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'HTTP-request-denied', null, 0, 0, 0 ],[ 'HTTP-request-length-required', null, 0, 0, 0 ],[ 'HTTP-request-body-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU64, 8, 8, 1],
              ],
              variantSize32: 16,
              variantAlign32: 8,
              variantPayloadOffset32: 8,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 16, 8, 2 ],[ 'HTTP-request-method-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-too-long', null, 0, 0, 0 ],[ 'HTTP-request-header-section-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4, 2 ],[ 'HTTP-request-header-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatRecord({ fieldMetas: [['fieldName', 
              _lowerFlatOption({
                caseMetas: [
                [ 'none', null, 0, 0, 0 ],
                [ 'some', _lowerFlatStringAny, 8, 4, 2],
                ],
                variantSize32: 12,
                variantAlign32: 4,
                variantPayloadOffset32: 4,
                variantFlatCount: 3,
                payloadMaybeNull: false,
              })
              , 12, 4 ],['fieldSize', 
              _lowerFlatOption({
                caseMetas: [
                [ 'none', null, 0, 0, 0 ],
                [ 'some', _lowerFlatU32, 4, 4, 1],
                ],
                variantSize32: 8,
                variantAlign32: 4,
                variantPayloadOffset32: 4,
                variantFlatCount: 2,
                payloadMaybeNull: false,
              })
              , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5],
              ],
              variantSize32: 24,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 6,
              payloadMaybeNull: false,
            })
            , 24, 4, 6 ],[ 'HTTP-request-trailer-section-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4, 2 ],[ 'HTTP-request-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4 ],['fieldSize', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-incomplete', null, 0, 0, 0 ],[ 'HTTP-response-header-section-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4, 2 ],[ 'HTTP-response-header-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4 ],['fieldSize', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-body-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU64, 8, 8, 1],
              ],
              variantSize32: 16,
              variantAlign32: 8,
              variantPayloadOffset32: 8,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 16, 8, 2 ],[ 'HTTP-response-trailer-section-size', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4, 2 ],[ 'HTTP-response-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4 ],['fieldSize', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatU32, 4, 4, 1],
              ],
              variantSize32: 8,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 2,
              payloadMaybeNull: false,
            })
            , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-transfer-coding', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4, 3 ],[ 'HTTP-response-content-coding', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4, 3 ],[ 'HTTP-response-timeout', null, 0, 0, 0 ],[ 'HTTP-upgrade-failed', null, 0, 0, 0 ],[ 'HTTP-protocol-error', null, 0, 0, 0 ],[ 'loop-detected', null, 0, 0, 0 ],[ 'configuration-error', null, 0, 0, 0 ],[ 'internal-error', 
            _lowerFlatOption({
              caseMetas: [
              [ 'none', null, 0, 0, 0 ],
              [ 'some', _lowerFlatStringAny, 8, 4, 2],
              ],
              variantSize32: 12,
              variantAlign32: 4,
              variantPayloadOffset32: 4,
              variantFlatCount: 3,
              payloadMaybeNull: false,
            })
            , 12, 4, 3 ],],
            variantSize32: 32,
            variantAlign32: 8,
            variantPayloadOffset32: 8,
            variantFlatCount: 7,
          } ), 40, 8, 8 ],
          ],
          variantSize32: 40,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 8,
        })
        , 48, 8, 8 ],
        [ 'err', null, 48, 8, 8 ],
        ],
        variantSize32: 48,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 9,
      })
      , 48, 8, 9],
      ],
      variantSize32: 56,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 10,
      payloadMaybeNull: false,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline29,
  },
  );
  let trampoline30 = _trampoline30.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 30,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline30.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 8)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 0,
        tableIdx: 9,
        lowerFn: 
        function lowerImportedOwnedHost_IncomingBody(obj) {
          if (!(obj instanceof IncomingBody)) {
            throw new TypeError('Resource error: Not a valid \"IncomingBody\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt9;
            captureTable9.set(rep, obj);
            handle = rscTableCreateOwn(handleTable9, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', null, 8, 4, 4 ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline30,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 30,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline30.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 8)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 0,
        tableIdx: 9,
        lowerFn: 
        function lowerImportedOwnedHost_IncomingBody(obj) {
          if (!(obj instanceof IncomingBody)) {
            throw new TypeError('Resource error: Not a valid \"IncomingBody\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt9;
            captureTable9.set(rep, obj);
            handle = rscTableCreateOwn(handleTable9, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', null, 8, 4, 4 ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline30,
  },
  );
  let trampoline31 = _trampoline31.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 31,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline31.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 9)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 0,
        tableIdx: 3,
        lowerFn: 
        function lowerImportedOwnedHost_InputStream(obj) {
          if (!(obj instanceof InputStream)) {
            throw new TypeError('Resource error: Not a valid \"InputStream\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt3;
            captureTable3.set(rep, obj);
            handle = rscTableCreateOwn(handleTable3, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', null, 8, 4, 4 ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline31,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 31,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline31.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 9)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 0,
        tableIdx: 3,
        lowerFn: 
        function lowerImportedOwnedHost_InputStream(obj) {
          if (!(obj instanceof InputStream)) {
            throw new TypeError('Resource error: Not a valid \"InputStream\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt3;
            captureTable3.set(rep, obj);
            handle = rscTableCreateOwn(handleTable3, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', null, 8, 4, 4 ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline31,
  },
  );
  let trampoline32 = _trampoline32.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 32,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline32.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 1)],
    resultLowerFns: [
    _lowerFlatOption({
      caseMetas: [
      [ 'none', null, 0, 0, 0 ],
      [ 'some', _lowerFlatVariant({
        caseMetas: [[ 'DNS-timeout', null, 0, 0, 0 ],[ 'DNS-error', _lowerFlatRecord({ fieldMetas: [['rcode', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['infoCode', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU16, 2, 2, 1],
          ],
          variantSize32: 4,
          variantAlign32: 2,
          variantPayloadOffset32: 2,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 4, 2 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'destination-not-found', null, 0, 0, 0 ],[ 'destination-unavailable', null, 0, 0, 0 ],[ 'destination-IP-prohibited', null, 0, 0, 0 ],[ 'destination-IP-unroutable', null, 0, 0, 0 ],[ 'connection-refused', null, 0, 0, 0 ],[ 'connection-terminated', null, 0, 0, 0 ],[ 'connection-timeout', null, 0, 0, 0 ],[ 'connection-read-timeout', null, 0, 0, 0 ],[ 'connection-write-timeout', null, 0, 0, 0 ],[ 'connection-limit-reached', null, 0, 0, 0 ],[ 'TLS-protocol-error', null, 0, 0, 0 ],[ 'TLS-certificate-error', null, 0, 0, 0 ],[ 'TLS-alert-received', _lowerFlatRecord({ fieldMetas: [['alertId', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU8, 1, 1, 1],
          ],
          variantSize32: 2,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 2, 1 ],['alertMessage', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'HTTP-request-denied', null, 0, 0, 0 ],[ 'HTTP-request-length-required', null, 0, 0, 0 ],[ 'HTTP-request-body-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU64, 8, 8, 1],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 16, 8, 2 ],[ 'HTTP-request-method-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-too-long', null, 0, 0, 0 ],[ 'HTTP-request-header-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-request-header-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatRecord({ fieldMetas: [['fieldName', 
          _lowerFlatOption({
            caseMetas: [
            [ 'none', null, 0, 0, 0 ],
            [ 'some', _lowerFlatStringAny, 8, 4, 2],
            ],
            variantSize32: 12,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 3,
            payloadMaybeNull: false,
          })
          , 12, 4 ],['fieldSize', 
          _lowerFlatOption({
            caseMetas: [
            [ 'none', null, 0, 0, 0 ],
            [ 'some', _lowerFlatU32, 4, 4, 1],
            ],
            variantSize32: 8,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 2,
            payloadMaybeNull: false,
          })
          , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5],
          ],
          variantSize32: 24,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 6,
          payloadMaybeNull: false,
        })
        , 24, 4, 6 ],[ 'HTTP-request-trailer-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-request-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-incomplete', null, 0, 0, 0 ],[ 'HTTP-response-header-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-response-header-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-body-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU64, 8, 8, 1],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 16, 8, 2 ],[ 'HTTP-response-trailer-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-response-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-transfer-coding', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],[ 'HTTP-response-content-coding', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],[ 'HTTP-response-timeout', null, 0, 0, 0 ],[ 'HTTP-upgrade-failed', null, 0, 0, 0 ],[ 'HTTP-protocol-error', null, 0, 0, 0 ],[ 'loop-detected', null, 0, 0, 0 ],[ 'configuration-error', null, 0, 0, 0 ],[ 'internal-error', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],],
        variantSize32: 32,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 7,
      } ), 32, 8, 7],
      ],
      variantSize32: 40,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 8,
      payloadMaybeNull: false,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline32,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 32,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline32.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 1)],
    resultLowerFns: [
    _lowerFlatOption({
      caseMetas: [
      [ 'none', null, 0, 0, 0 ],
      [ 'some', _lowerFlatVariant({
        caseMetas: [[ 'DNS-timeout', null, 0, 0, 0 ],[ 'DNS-error', _lowerFlatRecord({ fieldMetas: [['rcode', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['infoCode', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU16, 2, 2, 1],
          ],
          variantSize32: 4,
          variantAlign32: 2,
          variantPayloadOffset32: 2,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 4, 2 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'destination-not-found', null, 0, 0, 0 ],[ 'destination-unavailable', null, 0, 0, 0 ],[ 'destination-IP-prohibited', null, 0, 0, 0 ],[ 'destination-IP-unroutable', null, 0, 0, 0 ],[ 'connection-refused', null, 0, 0, 0 ],[ 'connection-terminated', null, 0, 0, 0 ],[ 'connection-timeout', null, 0, 0, 0 ],[ 'connection-read-timeout', null, 0, 0, 0 ],[ 'connection-write-timeout', null, 0, 0, 0 ],[ 'connection-limit-reached', null, 0, 0, 0 ],[ 'TLS-protocol-error', null, 0, 0, 0 ],[ 'TLS-certificate-error', null, 0, 0, 0 ],[ 'TLS-alert-received', _lowerFlatRecord({ fieldMetas: [['alertId', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU8, 1, 1, 1],
          ],
          variantSize32: 2,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 2, 1 ],['alertMessage', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'HTTP-request-denied', null, 0, 0, 0 ],[ 'HTTP-request-length-required', null, 0, 0, 0 ],[ 'HTTP-request-body-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU64, 8, 8, 1],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 16, 8, 2 ],[ 'HTTP-request-method-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-too-long', null, 0, 0, 0 ],[ 'HTTP-request-header-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-request-header-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatRecord({ fieldMetas: [['fieldName', 
          _lowerFlatOption({
            caseMetas: [
            [ 'none', null, 0, 0, 0 ],
            [ 'some', _lowerFlatStringAny, 8, 4, 2],
            ],
            variantSize32: 12,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 3,
            payloadMaybeNull: false,
          })
          , 12, 4 ],['fieldSize', 
          _lowerFlatOption({
            caseMetas: [
            [ 'none', null, 0, 0, 0 ],
            [ 'some', _lowerFlatU32, 4, 4, 1],
            ],
            variantSize32: 8,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 2,
            payloadMaybeNull: false,
          })
          , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5],
          ],
          variantSize32: 24,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 6,
          payloadMaybeNull: false,
        })
        , 24, 4, 6 ],[ 'HTTP-request-trailer-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-request-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-incomplete', null, 0, 0, 0 ],[ 'HTTP-response-header-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-response-header-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-body-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU64, 8, 8, 1],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 16, 8, 2 ],[ 'HTTP-response-trailer-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-response-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-transfer-coding', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],[ 'HTTP-response-content-coding', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],[ 'HTTP-response-timeout', null, 0, 0, 0 ],[ 'HTTP-upgrade-failed', null, 0, 0, 0 ],[ 'HTTP-protocol-error', null, 0, 0, 0 ],[ 'loop-detected', null, 0, 0, 0 ],[ 'configuration-error', null, 0, 0, 0 ],[ 'internal-error', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],],
        variantSize32: 32,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 7,
      } ), 32, 8, 7],
      ],
      variantSize32: 40,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 8,
      payloadMaybeNull: false,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline32,
  },
  );
  let trampoline33 = _trampoline33.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 33,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline33.manuallyAsync,
    paramLiftFns: [_liftFlatList({
      elemLiftFn: _liftFlatTuple({ elemLiftFns: [[_liftFlatStringAny, 8, 4],[_liftFlatList({
        elemLiftFn: _liftFlatU8,
        elemAlign32: 1,
        elemSize32: 1,
        typedArray: Uint8Array,
      }), 8, 4],], size32: 16, align32: 4 }),
      elemAlign32: 4,
      elemSize32: 16,
      typedArray: undefined,
    })],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 0,
        tableIdx: 4,
        lowerFn: 
        function lowerImportedOwnedHost_Fields(obj) {
          if (!(obj instanceof Fields)) {
            throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt4;
            captureTable4.set(rep, obj);
            handle = rscTableCreateOwn(handleTable4, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'invalid-syntax', null, 0, 0, 0 ],[ 'forbidden', null, 0, 0, 0 ],[ 'immutable', null, 0, 0, 0 ],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      } ), 8, 4, 4 ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline33,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 33,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline33.manuallyAsync,
    paramLiftFns: [_liftFlatList({
      elemLiftFn: _liftFlatTuple({ elemLiftFns: [[_liftFlatStringAny, 8, 4],[_liftFlatList({
        elemLiftFn: _liftFlatU8,
        elemAlign32: 1,
        elemSize32: 1,
        typedArray: Uint8Array,
      }), 8, 4],], size32: 16, align32: 4 }),
      elemAlign32: 4,
      elemSize32: 16,
      typedArray: undefined,
    })],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 0,
        tableIdx: 4,
        lowerFn: 
        function lowerImportedOwnedHost_Fields(obj) {
          if (!(obj instanceof Fields)) {
            throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt4;
            captureTable4.set(rep, obj);
            handle = rscTableCreateOwn(handleTable4, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'invalid-syntax', null, 0, 0, 0 ],[ 'forbidden', null, 0, 0, 0 ],[ 'immutable', null, 0, 0, 0 ],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      } ), 8, 4, 4 ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline33,
  },
  );
  let trampoline34 = _trampoline34.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 34,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline34.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 0,
      tableIdx: 5,
      classNameFn: () => OutgoingRequest,
      createResourceFn: 
      (handle) => {
        const rep = handleTable5[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable5.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(OutgoingRequest.prototype);
          Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
          Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
        } else {
          captureTable5.delete(rep);
        }
        rscTableRemove(handleTable5, handle);
        return resourceObj;
      }
      ,
    })
    ,
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatOwn({
        componentIdx: 0,
        tableIdx: 10,
        classNameFn: () => RequestOptions,
        createResourceFn: 
        (handle) => {
          const rep = handleTable10[(handle << 1) + 1] & ~T_FLAG;
          let resourceObj = captureTable10.get(rep);
          if (!resourceObj) {
            resourceObj = Object.create(RequestOptions.prototype);
            Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
            Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
          } else {
            captureTable10.delete(rep);
          }
          rscTableRemove(handleTable10, handle);
          return resourceObj;
        }
        ,
      })
      , 4, 4, 1, ['i32'] ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
      variantPayloadFlatTypes: ['i32'],
      payloadMaybeNull: false,
    })
    ],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 0,
        tableIdx: 7,
        lowerFn: 
        function lowerImportedOwnedHost_FutureIncomingResponse(obj) {
          if (!(obj instanceof FutureIncomingResponse)) {
            throw new TypeError('Resource error: Not a valid \"FutureIncomingResponse\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt7;
            captureTable7.set(rep, obj);
            handle = rscTableCreateOwn(handleTable7, rep);
          }
          return handle;
        }
        ,
      }), 40, 8, 8 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'DNS-timeout', null, 0, 0, 0 ],[ 'DNS-error', _lowerFlatRecord({ fieldMetas: [['rcode', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['infoCode', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU16, 2, 2, 1],
          ],
          variantSize32: 4,
          variantAlign32: 2,
          variantPayloadOffset32: 2,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 4, 2 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'destination-not-found', null, 0, 0, 0 ],[ 'destination-unavailable', null, 0, 0, 0 ],[ 'destination-IP-prohibited', null, 0, 0, 0 ],[ 'destination-IP-unroutable', null, 0, 0, 0 ],[ 'connection-refused', null, 0, 0, 0 ],[ 'connection-terminated', null, 0, 0, 0 ],[ 'connection-timeout', null, 0, 0, 0 ],[ 'connection-read-timeout', null, 0, 0, 0 ],[ 'connection-write-timeout', null, 0, 0, 0 ],[ 'connection-limit-reached', null, 0, 0, 0 ],[ 'TLS-protocol-error', null, 0, 0, 0 ],[ 'TLS-certificate-error', null, 0, 0, 0 ],[ 'TLS-alert-received', _lowerFlatRecord({ fieldMetas: [['alertId', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU8, 1, 1, 1],
          ],
          variantSize32: 2,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 2, 1 ],['alertMessage', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'HTTP-request-denied', null, 0, 0, 0 ],[ 'HTTP-request-length-required', null, 0, 0, 0 ],[ 'HTTP-request-body-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU64, 8, 8, 1],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 16, 8, 2 ],[ 'HTTP-request-method-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-too-long', null, 0, 0, 0 ],[ 'HTTP-request-header-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-request-header-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatRecord({ fieldMetas: [['fieldName', 
          _lowerFlatOption({
            caseMetas: [
            [ 'none', null, 0, 0, 0 ],
            [ 'some', _lowerFlatStringAny, 8, 4, 2],
            ],
            variantSize32: 12,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 3,
            payloadMaybeNull: false,
          })
          , 12, 4 ],['fieldSize', 
          _lowerFlatOption({
            caseMetas: [
            [ 'none', null, 0, 0, 0 ],
            [ 'some', _lowerFlatU32, 4, 4, 1],
            ],
            variantSize32: 8,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 2,
            payloadMaybeNull: false,
          })
          , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5],
          ],
          variantSize32: 24,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 6,
          payloadMaybeNull: false,
        })
        , 24, 4, 6 ],[ 'HTTP-request-trailer-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-request-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-incomplete', null, 0, 0, 0 ],[ 'HTTP-response-header-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-response-header-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-body-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU64, 8, 8, 1],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 16, 8, 2 ],[ 'HTTP-response-trailer-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-response-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-transfer-coding', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],[ 'HTTP-response-content-coding', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],[ 'HTTP-response-timeout', null, 0, 0, 0 ],[ 'HTTP-upgrade-failed', null, 0, 0, 0 ],[ 'HTTP-protocol-error', null, 0, 0, 0 ],[ 'loop-detected', null, 0, 0, 0 ],[ 'configuration-error', null, 0, 0, 0 ],[ 'internal-error', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],],
        variantSize32: 32,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 7,
      } ), 40, 8, 8 ],
      ],
      variantSize32: 40,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 8,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline34,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 34,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline34.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 0,
      tableIdx: 5,
      classNameFn: () => OutgoingRequest,
      createResourceFn: 
      (handle) => {
        const rep = handleTable5[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable5.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(OutgoingRequest.prototype);
          Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
          Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
        } else {
          captureTable5.delete(rep);
        }
        rscTableRemove(handleTable5, handle);
        return resourceObj;
      }
      ,
    })
    ,
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatOwn({
        componentIdx: 0,
        tableIdx: 10,
        classNameFn: () => RequestOptions,
        createResourceFn: 
        (handle) => {
          const rep = handleTable10[(handle << 1) + 1] & ~T_FLAG;
          let resourceObj = captureTable10.get(rep);
          if (!resourceObj) {
            resourceObj = Object.create(RequestOptions.prototype);
            Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
            Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
          } else {
            captureTable10.delete(rep);
          }
          rscTableRemove(handleTable10, handle);
          return resourceObj;
        }
        ,
      })
      , 4, 4, 1, ['i32'] ],
      ],
      variantSize32: 8,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 2,
      variantPayloadFlatTypes: ['i32'],
      payloadMaybeNull: false,
    })
    ],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 0,
        tableIdx: 7,
        lowerFn: 
        function lowerImportedOwnedHost_FutureIncomingResponse(obj) {
          if (!(obj instanceof FutureIncomingResponse)) {
            throw new TypeError('Resource error: Not a valid \"FutureIncomingResponse\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt7;
            captureTable7.set(rep, obj);
            handle = rscTableCreateOwn(handleTable7, rep);
          }
          return handle;
        }
        ,
      }), 40, 8, 8 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'DNS-timeout', null, 0, 0, 0 ],[ 'DNS-error', _lowerFlatRecord({ fieldMetas: [['rcode', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['infoCode', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU16, 2, 2, 1],
          ],
          variantSize32: 4,
          variantAlign32: 2,
          variantPayloadOffset32: 2,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 4, 2 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'destination-not-found', null, 0, 0, 0 ],[ 'destination-unavailable', null, 0, 0, 0 ],[ 'destination-IP-prohibited', null, 0, 0, 0 ],[ 'destination-IP-unroutable', null, 0, 0, 0 ],[ 'connection-refused', null, 0, 0, 0 ],[ 'connection-terminated', null, 0, 0, 0 ],[ 'connection-timeout', null, 0, 0, 0 ],[ 'connection-read-timeout', null, 0, 0, 0 ],[ 'connection-write-timeout', null, 0, 0, 0 ],[ 'connection-limit-reached', null, 0, 0, 0 ],[ 'TLS-protocol-error', null, 0, 0, 0 ],[ 'TLS-certificate-error', null, 0, 0, 0 ],[ 'TLS-alert-received', _lowerFlatRecord({ fieldMetas: [['alertId', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU8, 1, 1, 1],
          ],
          variantSize32: 2,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 2, 1 ],['alertMessage', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],], size32: 16, align32: 4 }), 16, 4, 5 ],[ 'HTTP-request-denied', null, 0, 0, 0 ],[ 'HTTP-request-length-required', null, 0, 0, 0 ],[ 'HTTP-request-body-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU64, 8, 8, 1],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 16, 8, 2 ],[ 'HTTP-request-method-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-invalid', null, 0, 0, 0 ],[ 'HTTP-request-URI-too-long', null, 0, 0, 0 ],[ 'HTTP-request-header-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-request-header-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatRecord({ fieldMetas: [['fieldName', 
          _lowerFlatOption({
            caseMetas: [
            [ 'none', null, 0, 0, 0 ],
            [ 'some', _lowerFlatStringAny, 8, 4, 2],
            ],
            variantSize32: 12,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 3,
            payloadMaybeNull: false,
          })
          , 12, 4 ],['fieldSize', 
          _lowerFlatOption({
            caseMetas: [
            [ 'none', null, 0, 0, 0 ],
            [ 'some', _lowerFlatU32, 4, 4, 1],
            ],
            variantSize32: 8,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 2,
            payloadMaybeNull: false,
          })
          , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5],
          ],
          variantSize32: 24,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 6,
          payloadMaybeNull: false,
        })
        , 24, 4, 6 ],[ 'HTTP-request-trailer-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-request-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-incomplete', null, 0, 0, 0 ],[ 'HTTP-response-header-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-response-header-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-body-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU64, 8, 8, 1],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 16, 8, 2 ],[ 'HTTP-response-trailer-section-size', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4, 2 ],[ 'HTTP-response-trailer-size', _lowerFlatRecord({ fieldMetas: [['fieldName', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4 ],['fieldSize', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatU32, 4, 4, 1],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          payloadMaybeNull: false,
        })
        , 8, 4 ],], size32: 20, align32: 4 }), 20, 4, 5 ],[ 'HTTP-response-transfer-coding', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],[ 'HTTP-response-content-coding', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],[ 'HTTP-response-timeout', null, 0, 0, 0 ],[ 'HTTP-upgrade-failed', null, 0, 0, 0 ],[ 'HTTP-protocol-error', null, 0, 0, 0 ],[ 'loop-detected', null, 0, 0, 0 ],[ 'configuration-error', null, 0, 0, 0 ],[ 'internal-error', 
        _lowerFlatOption({
          caseMetas: [
          [ 'none', null, 0, 0, 0 ],
          [ 'some', _lowerFlatStringAny, 8, 4, 2],
          ],
          variantSize32: 12,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 3,
          payloadMaybeNull: false,
        })
        , 12, 4, 3 ],],
        variantSize32: 32,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 7,
      } ), 40, 8, 8 ],
      ],
      variantSize32: 40,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 8,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline34,
  },
  );
  let trampoline35 = _trampoline35.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 35,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline35.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 2)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatU64, 16, 8, 8 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'last-operation-failed', _lowerFlatOwn({
          componentIdx: 0,
          tableIdx: 1,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
            }
            let handle = obj[symbolRscHandle];
            if (!handle) {
              const rep = obj[symbolRscRep] || ++captureCnt1;
              captureTable1.set(rep, obj);
              handle = rscTableCreateOwn(handleTable1, rep);
            }
            return handle;
          }
          ,
        }), 4, 4, 1 ],[ 'closed', null, 0, 0, 0 ],],
        variantSize32: 8,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 2,
      } ), 16, 8, 8 ],
      ],
      variantSize32: 16,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 3,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline35,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 35,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline35.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 2)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatU64, 16, 8, 8 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'last-operation-failed', _lowerFlatOwn({
          componentIdx: 0,
          tableIdx: 1,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
            }
            let handle = obj[symbolRscHandle];
            if (!handle) {
              const rep = obj[symbolRscRep] || ++captureCnt1;
              captureTable1.set(rep, obj);
              handle = rscTableCreateOwn(handleTable1, rep);
            }
            return handle;
          }
          ,
        }), 4, 4, 1 ],[ 'closed', null, 0, 0, 0 ],],
        variantSize32: 8,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 2,
      } ), 16, 8, 8 ],
      ],
      variantSize32: 16,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 3,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline35,
  },
  );
  let trampoline36 = _trampoline36.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 36,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline36.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 2),_liftFlatList({
      elemLiftFn: _liftFlatU8,
      elemAlign32: 1,
      elemSize32: 1,
      typedArray: Uint8Array,
    })],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 12, 4, 4 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'last-operation-failed', _lowerFlatOwn({
          componentIdx: 0,
          tableIdx: 1,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
            }
            let handle = obj[symbolRscHandle];
            if (!handle) {
              const rep = obj[symbolRscRep] || ++captureCnt1;
              captureTable1.set(rep, obj);
              handle = rscTableCreateOwn(handleTable1, rep);
            }
            return handle;
          }
          ,
        }), 4, 4, 1 ],[ 'closed', null, 0, 0, 0 ],],
        variantSize32: 8,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 2,
      } ), 12, 4, 4 ],
      ],
      variantSize32: 12,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 3,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline36,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 36,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline36.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 2),_liftFlatList({
      elemLiftFn: _liftFlatU8,
      elemAlign32: 1,
      elemSize32: 1,
      typedArray: Uint8Array,
    })],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 12, 4, 4 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'last-operation-failed', _lowerFlatOwn({
          componentIdx: 0,
          tableIdx: 1,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
            }
            let handle = obj[symbolRscHandle];
            if (!handle) {
              const rep = obj[symbolRscRep] || ++captureCnt1;
              captureTable1.set(rep, obj);
              handle = rscTableCreateOwn(handleTable1, rep);
            }
            return handle;
          }
          ,
        }), 4, 4, 1 ],[ 'closed', null, 0, 0, 0 ],],
        variantSize32: 8,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 2,
      } ), 12, 4, 4 ],
      ],
      variantSize32: 12,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 3,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: undefined,
    importFn: _trampoline36,
  },
  );
  let trampoline37 = _trampoline37.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 37,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline37.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 3),_liftFlatU64],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatList({
        elemLowerFn: _lowerFlatU8,
        elemSize32: 1,
        elemAlign32: 1,
      }), 12, 4, 4 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'last-operation-failed', _lowerFlatOwn({
          componentIdx: 0,
          tableIdx: 1,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
            }
            let handle = obj[symbolRscHandle];
            if (!handle) {
              const rep = obj[symbolRscRep] || ++captureCnt1;
              captureTable1.set(rep, obj);
              handle = rscTableCreateOwn(handleTable1, rep);
            }
            return handle;
          }
          ,
        }), 4, 4, 1 ],[ 'closed', null, 0, 0, 0 ],],
        variantSize32: 8,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 2,
      } ), 12, 4, 4 ],
      ],
      variantSize32: 12,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 3,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline37,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 37,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline37.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 3),_liftFlatU64],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatList({
        elemLowerFn: _lowerFlatU8,
        elemSize32: 1,
        elemAlign32: 1,
      }), 12, 4, 4 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'last-operation-failed', _lowerFlatOwn({
          componentIdx: 0,
          tableIdx: 1,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
            }
            let handle = obj[symbolRscHandle];
            if (!handle) {
              const rep = obj[symbolRscRep] || ++captureCnt1;
              captureTable1.set(rep, obj);
              handle = rscTableCreateOwn(handleTable1, rep);
            }
            return handle;
          }
          ,
        }), 4, 4, 1 ],[ 'closed', null, 0, 0, 0 ],],
        variantSize32: 8,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 2,
      } ), 12, 4, 4 ],
      ],
      variantSize32: 12,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 3,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline37,
  },
  );
  let trampoline38 = _trampoline38.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 38,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline38.manuallyAsync,
    paramLiftFns: [_liftFlatList({
      elemLiftFn: _liftFlatBorrow.bind(null, 0),
      elemAlign32: 4,
      elemSize32: 4,
      typedArray: undefined,
    })],
    resultLowerFns: [_lowerFlatList({
      elemLowerFn: _lowerFlatU32,
      elemSize32: 4,
      elemAlign32: 4,
    })],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline38,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 38,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline38.manuallyAsync,
    paramLiftFns: [_liftFlatList({
      elemLiftFn: _liftFlatBorrow.bind(null, 0),
      elemAlign32: 4,
      elemSize32: 4,
      typedArray: undefined,
    })],
    resultLowerFns: [_lowerFlatList({
      elemLowerFn: _lowerFlatU32,
      elemSize32: 4,
      elemAlign32: 4,
    })],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline38,
  },
  );
  let trampoline39 = _trampoline39.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 39,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline39.manuallyAsync,
    paramLiftFns: [],
    resultLowerFns: [_lowerFlatList({
      elemLowerFn: _lowerFlatTuple({ elemLowerMetas: [[_lowerFlatStringAny, 8, 4],[_lowerFlatStringAny, 8, 4],], size32: 16, align32: 4 }),
      elemSize32: 16,
      elemAlign32: 4,
    })],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline39,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 39,
    componentIdx: 0,
    isAsync: false,
    isManualAsync: _trampoline39.manuallyAsync,
    paramLiftFns: [],
    resultLowerFns: [_lowerFlatList({
      elemLowerFn: _lowerFlatTuple({ elemLowerMetas: [[_lowerFlatStringAny, 8, 4],[_lowerFlatStringAny, 8, 4],], size32: 16, align32: 4 }),
      elemSize32: 16,
      elemAlign32: 4,
    })],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 0,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory0,
    getReallocFn: () => realloc0,
    importFn: _trampoline39,
  },
  );
  ({ exports: exports0 } = instantiateCore(module1));
  ({ exports: exports1 } = instantiateCore(module0, {
    'wasi:cli/environment@0.2.0': {
      'get-environment': Object.assign(exports0['18'], { _jcoMaySuspend: false }),
    },
    'wasi:clocks/monotonic-clock@0.2.0': {
      now: Object.assign(trampoline10, { _jcoMaySuspend: false }),
      'subscribe-duration': Object.assign(trampoline11, { _jcoMaySuspend: false }),
      'subscribe-instant': Object.assign(trampoline14, { _jcoMaySuspend: false }),
    },
    'wasi:http/outgoing-handler@0.2.0': {
      handle: Object.assign(exports0['13'], { _jcoMaySuspend: false }),
    },
    'wasi:http/types@0.2.0': {
      '[constructor]outgoing-request': Object.assign(trampoline0, { _jcoMaySuspend: false }),
      '[method]fields.get': Object.assign(exports0['0'], { _jcoMaySuspend: false }),
      '[method]future-incoming-response.get': Object.assign(exports0['8'], { _jcoMaySuspend: false }),
      '[method]future-incoming-response.subscribe': Object.assign(trampoline20, { _jcoMaySuspend: false }),
      '[method]incoming-body.stream': Object.assign(exports0['10'], { _jcoMaySuspend: false }),
      '[method]incoming-response.consume': Object.assign(exports0['9'], { _jcoMaySuspend: false }),
      '[method]incoming-response.headers': Object.assign(trampoline3, { _jcoMaySuspend: false }),
      '[method]incoming-response.status': Object.assign(trampoline2, { _jcoMaySuspend: false }),
      '[method]outgoing-body.write': Object.assign(exports0['6'], { _jcoMaySuspend: false }),
      '[method]outgoing-request.body': Object.assign(exports0['5'], { _jcoMaySuspend: false }),
      '[method]outgoing-request.set-authority': Object.assign(exports0['3'], { _jcoMaySuspend: false }),
      '[method]outgoing-request.set-method': Object.assign(exports0['1'], { _jcoMaySuspend: false }),
      '[method]outgoing-request.set-path-with-query': Object.assign(exports0['4'], { _jcoMaySuspend: false }),
      '[method]outgoing-request.set-scheme': Object.assign(exports0['2'], { _jcoMaySuspend: false }),
      '[resource-drop]fields': Object.assign(_guardMayLeave(0, trampoline18), { _jcoMaySuspend: false }),
      '[resource-drop]future-incoming-response': Object.assign(_guardMayLeave(0, trampoline9), { _jcoMaySuspend: false }),
      '[resource-drop]incoming-body': Object.assign(_guardMayLeave(0, trampoline6), { _jcoMaySuspend: false }),
      '[resource-drop]incoming-response': Object.assign(_guardMayLeave(0, trampoline7), { _jcoMaySuspend: false }),
      '[resource-drop]outgoing-body': Object.assign(_guardMayLeave(0, trampoline19), { _jcoMaySuspend: false }),
      '[resource-drop]outgoing-request': Object.assign(_guardMayLeave(0, trampoline17), { _jcoMaySuspend: false }),
      '[static]fields.from-list': Object.assign(exports0['12'], { _jcoMaySuspend: false }),
      '[static]outgoing-body.finish': Object.assign(exports0['7'], { _jcoMaySuspend: false }),
      'http-error-code': Object.assign(exports0['11'], { _jcoMaySuspend: false }),
    },
    'wasi:io/error@0.2.0': {
      '[resource-drop]error': Object.assign(_guardMayLeave(0, trampoline15), { _jcoMaySuspend: false }),
    },
    'wasi:io/poll@0.2.0': {
      '[method]pollable.block': Object.assign(trampoline12, { _jcoMaySuspend: false }),
      '[method]pollable.ready': Object.assign(trampoline16, { _jcoMaySuspend: false }),
      '[resource-drop]pollable': Object.assign(_guardMayLeave(0, trampoline13), { _jcoMaySuspend: false }),
      poll: Object.assign(exports0['17'], { _jcoMaySuspend: false }),
    },
    'wasi:io/streams@0.2.0': {
      '[method]input-stream.read': Object.assign(exports0['16'], { _jcoMaySuspend: false }),
      '[method]input-stream.subscribe': Object.assign(trampoline4, { _jcoMaySuspend: false }),
      '[method]output-stream.check-write': Object.assign(exports0['14'], { _jcoMaySuspend: false }),
      '[method]output-stream.subscribe': Object.assign(trampoline1, { _jcoMaySuspend: false }),
      '[method]output-stream.write': Object.assign(exports0['15'], { _jcoMaySuspend: false }),
      '[resource-drop]input-stream': Object.assign(_guardMayLeave(0, trampoline5), { _jcoMaySuspend: false }),
      '[resource-drop]output-stream': Object.assign(_guardMayLeave(0, trampoline8), { _jcoMaySuspend: false }),
    },
  }));
  memory0 = exports1.memory;
  realloc0 = exports1.cabi_realloc;
  
  try {
    realloc0Async = WebAssembly.promising(exports1.cabi_realloc);
  } catch(err) {
    realloc0Async = exports1.cabi_realloc;
  }
  
  ({ exports: exports2 } = instantiateCore(module2, {
    '': {
      $imports: exports0.$imports,
      '0': Object.assign(trampoline21, { _jcoMaySuspend: false }),
      '1': Object.assign(trampoline22, { _jcoMaySuspend: false }),
      '10': Object.assign(trampoline31, { _jcoMaySuspend: false }),
      '11': Object.assign(trampoline32, { _jcoMaySuspend: false }),
      '12': Object.assign(trampoline33, { _jcoMaySuspend: false }),
      '13': Object.assign(trampoline34, { _jcoMaySuspend: false }),
      '14': Object.assign(trampoline35, { _jcoMaySuspend: false }),
      '15': Object.assign(trampoline36, { _jcoMaySuspend: false }),
      '16': Object.assign(trampoline37, { _jcoMaySuspend: false }),
      '17': Object.assign(trampoline38, { _jcoMaySuspend: false }),
      '18': Object.assign(trampoline39, { _jcoMaySuspend: false }),
      '2': Object.assign(trampoline23, { _jcoMaySuspend: false }),
      '3': Object.assign(trampoline24, { _jcoMaySuspend: false }),
      '4': Object.assign(trampoline25, { _jcoMaySuspend: false }),
      '5': Object.assign(trampoline26, { _jcoMaySuspend: false }),
      '6': Object.assign(trampoline27, { _jcoMaySuspend: false }),
      '7': Object.assign(trampoline28, { _jcoMaySuspend: false }),
      '8': Object.assign(trampoline29, { _jcoMaySuspend: false }),
      '9': Object.assign(trampoline30, { _jcoMaySuspend: false }),
    },
  }));
  postReturn0 = exports1['cabi_post_messaging:integration/messaging@0.2.0#send-message'];
  
  try {
    postReturn0Async = WebAssembly.promising(exports1['cabi_post_messaging:integration/messaging@0.2.0#send-message']);
  } catch(err) {
    postReturn0Async = exports1['cabi_post_messaging:integration/messaging@0.2.0#send-message'];
  }
  
  postReturn1 = exports1['cabi_post_messaging:integration/messaging@0.2.0#list-templates'];
  
  try {
    postReturn1Async = WebAssembly.promising(exports1['cabi_post_messaging:integration/messaging@0.2.0#list-templates']);
  } catch(err) {
    postReturn1Async = exports1['cabi_post_messaging:integration/messaging@0.2.0#list-templates'];
  }
  
  postReturn2 = exports1['cabi_post_messaging:integration/messaging@0.2.0#handle-event'];
  
  try {
    postReturn2Async = WebAssembly.promising(exports1['cabi_post_messaging:integration/messaging@0.2.0#handle-event']);
  } catch(err) {
    postReturn2Async = exports1['cabi_post_messaging:integration/messaging@0.2.0#handle-event'];
  }
  
  messaging020SendMessage = exports1['messaging:integration/messaging@0.2.0#send-message'];
  messaging020ListTemplates = exports1['messaging:integration/messaging@0.2.0#list-templates'];
  messaging020HandleEvent = exports1['messaging:integration/messaging@0.2.0#handle-event'];
  const messaging020 = {
    handleEvent: handleEvent,
    listTemplates: listTemplates,
    sendMessage: sendMessage,
    
  };
  
  return { messaging: messaging020, 'messaging:integration/messaging@0.2.0': messaging020,  };
})();
let promise, resolve, reject;
function normalizeInstantiationError(e) {
  // Native JSPI rejects a suspending import called from a
  // core start function before entering its JS wrapper.
  // At component instantiation time that always means the
  // implicit synchronous task attempted to block.
  if (typeof WebAssembly.SuspendError === 'function' && e instanceof WebAssembly.SuspendError) {
    return new WebAssembly.RuntimeError('cannot block a synchronous task before returning');
  }
  return e;
}
function runNext(value) {
  try {
    let done;
    do {
      ({ value, done } = gen.next(value));
    } while (!(value instanceof Promise) && !done);
    if (done) {
      if (resolve) return resolve(value);
      else return value;
    }
    if (!promise) promise = new Promise((_resolve, _reject) => (resolve = _resolve, reject= _reject));
    value.then(nextVal => done ? resolve() : runNext(nextVal), e => reject(normalizeInstantiationError(e)));
  }
  catch (e) {
    e = normalizeInstantiationError(e);
    if (reject) reject(e);
    else throw e;
  }
}
const maybeSyncReturn = runNext(null);
return promise || maybeSyncReturn;
};

export const _util = {
  
}

