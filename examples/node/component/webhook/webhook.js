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
  
  const _debugLog = (...args) => {
    if (!globalThis?.process?.env?.JCO_DEBUG) { return; }
    console.debug(...args);
  };
  
  const I32_MAX= 2_147_483_647;
  
  const I32_MIN = -2_147_483_648;
  
  const _typeCheckValidI32 = (n) => typeof n === 'number' && n >= I32_MIN && n <= I32_MAX;
  
  const CURRENT_TASK_META = {};
  
  function _getGlobalCurrentTaskMeta(componentIdx) {
    const v = componentIdx === undefined || componentIdx === null
    ? CURRENT_TASK_META.current
    : CURRENT_TASK_META[componentIdx];
    if (v === undefined || v === null) {
      return undefined;
    }
    return { ...v };
  }
  
  
  function contextSet(ctx, value) {
    const { slot } = ctx;
    if (slot === undefined) { throw new TypeError("missing slot"); }
    if (!(_typeCheckValidI32(value))) { throw new Error('invalid value for context set (not valid i32)'); }
    
    // Guest callbacks use their component's task register. FACT
    // adapters have no component index; post-return also runs
    // after the callee register is cleared. Both use the executing
    // task, whose context FACT temporarily saves and restores.
    const currentTaskMeta = _getGlobalCurrentTaskMeta(ctx.componentIdx)
    ?? _getGlobalCurrentTaskMeta();
    if (!currentTaskMeta) {
      throw new Error(`missing/incomplete global current task meta for component idx [${ctx.componentIdx}] during context set`);
    }
    const { taskID, componentIdx } = currentTaskMeta;
    
    const taskMeta = getCurrentTask(componentIdx, taskID);
    if (!taskMeta) { throw new Error('failed to retrieve current task'); }
    
    let task = taskMeta.task;
    if (!task) { throw new Error('invalid/missing current task in metadata while setting context'); }
    
    _debugLog('[contextSet()] args', {
      slot,
      value,
      storage: task.storage,
      taskID: task.id(),
      componentIdx: task.componentIdx(),
    });
    
    if (slot < 0 || slot >= task.storage.length) { throw new Error('invalid slot for current task'); }
    task.storage[slot] = value;
  }
  
  
  function contextGet(ctx) {
    const { slot } = ctx;
    if (slot === undefined) { throw new TypeError("missing slot"); }
    
    // Guest callbacks use their component's task register. FACT
    // adapters have no component index; post-return also runs
    // after the callee register is cleared. Both use the executing
    // task, whose context FACT temporarily saves and restores.
    const currentTaskMeta = _getGlobalCurrentTaskMeta(ctx.componentIdx)
    ?? _getGlobalCurrentTaskMeta();
    if (!currentTaskMeta) {
      throw new Error(`missing/incomplete global current task meta for component idx [${ctx.componentIdx}] during context get`);
    }
    const { taskID, componentIdx } = currentTaskMeta;
    
    const taskMeta = getCurrentTask(componentIdx, taskID);
    if (!taskMeta) { throw new Error('failed to retrieve current task'); }
    
    let task = taskMeta.task;
    if (!task) { throw new Error('invalid/missing current task in metadata while getting context'); }
    
    _debugLog('[contextGet()] args', {
      slot,
      storage: task.storage,
      taskID: task.id(),
      componentIdx: task.componentIdx(),
    });
    
    if (slot < 0 || slot >= task.storage.length) { throw new Error('invalid slot for current task'); }
    
    return task.storage[slot];
  }
  
  const ASYNC_CURRENT_TASK_IDS = [];
  
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
  
  let SYMMETRIC_SYNC_GUEST_CALL_STACK = [];
  
  function _symmetricSyncGuestCallEnter(callerComponentIdx, calleeIsAsync, calleeComponentIdx, syncOnly = false) {
    _debugLog('[_symmetricSyncGuestCallEnter()] args', {
      callerComponentIdx,
      calleeIsAsync,
      calleeComponentIdx
    });
    
    const cstate = getOrCreateAsyncState(calleeComponentIdx);
    
    // The conditional JSPI trampoline probes this path before
    // invoking its Suspending fallback. Avoid creating either
    // task until the probe knows that entry can complete in the
    // current Wasm slice.
    if (syncOnly && !calleeIsAsync && cstate.isExclusivelyLocked()) {
      return 0;
    }
    
    const callerTaskMeta = getCurrentTask(callerComponentIdx);
    if (!callerTaskMeta) { throw new Error('missing current caller task metadata'); }
    const callerTask = callerTaskMeta.task;
    if (!callerTask) { throw new Error('missing current caller task'); }
    
    const subtask = callerTask.createSubtask({
      componentIdx: callerComponentIdx,
      parentTask: callerTask,
      // This adapter is a synchronous lowering even when
      // the callee's component function is async. Its
      // bookkeeping subtask is never exposed to the guest.
      isAsync: false,
    });
    
    const [newTask, newTaskID] = createNewCurrentTask({
      componentIdx: calleeComponentIdx,
      isAsync: !!calleeIsAsync,
      // A manually-async root uses one JSPI stack through any
      // sync-typed component adapters on the way to its configured
      // async import, so preserve that compatibility mode here.
      isManualAsync: callerTask.isManualAsync(),
      entryFnName: [
      'task',
      callerTask.id(),
      'subtask',
      subtask.id(),
      'task',
      'new-sync-guest-task',
      ].join("/"),
    });
    
    subtask.setChildTask(newTask);
    newTask.setParentSubtask(subtask);
    
    subtask.onStart();
    
    const finishEnter = () => {
      _setGlobalCurrentTaskMeta({
        taskID: newTask.id(),
        componentIdx: newTask.componentIdx(),
      });
      SYMMETRIC_SYNC_GUEST_CALL_STACK.push({
        componentIdx: newTask.componentIdx(),
        previousTaskMayBlock: CURRENT_TASK_MAY_BLOCK.value,
      });
      CURRENT_TASK_MAY_BLOCK.value = newTask.mayBlock() ? 1 : 0;
      
      _debugLog('[_symmetricSyncGuestCallEnter()] finished preparing', {
        callerComponentIdx,
        calleeComponentIdx,
        subtaskID: subtask.id(),
        newTaskID: newTask.id(),
      });
    };
    
    // Take the callee's per-slice exclusive lock. Uncontended entry
    // stays fully synchronous (returning a non-promise means the
    // Suspending-wrapped trampoline does not suspend, so pure-sync
    // compositions keep working without WebAssembly.promising).
    // Contended entry queues FIFO on the holder instead of silently
    // stealing the hold; the returned
    // promise suspends the caller's (JSPI) stack until ownership.
    if (!newTask.needsExclusiveLock()) {
      finishEnter();
      return 1;
    }
    if (!cstate.isExclusivelyLocked()) {
      cstate.exclusiveLock(newTask.id());
      finishEnter();
      return 1;
    }
    return cstate.acquireExclusiveLock(newTask.id()).then(() => {
      finishEnter();
      return 1;
    });
  }
  
  function _symmetricSyncGuestCallExit() {
    const { componentIdx, previousTaskMayBlock } = SYMMETRIC_SYNC_GUEST_CALL_STACK.pop();
    const cstate = getOrCreateAsyncState(componentIdx);
    
    const taskMeta = getCurrentTask(componentIdx);
    if (!taskMeta) { throw new Error('missing current caller task metadata'); }
    const task = taskMeta.task;
    if (!task) { throw new Error('missing current caller task'); }
    
    _debugLog('[_symmetricSyncGuestCallExit()] exiting', {
      componentIdx,
      taskID: task.id(),
      subtask: task.getParentSubtask(),
      subtaskID: task.getParentSubtask()?.id(),
      parent: task.getParentSubtask()?.getParentTask(),
    });
    
    const callerTask = task.getParentSubtask().getParentTask();
    task.resolve([]);
    task.exit();
    
    CURRENT_TASK_MAY_BLOCK.value = previousTaskMayBlock;
    
    _clearCurrentTask({
      taskID: task.id(),
      componentIdx: task.componentIdx(),
    });
    _setGlobalCurrentTaskMeta({
      taskID: callerTask.id(),
      componentIdx: callerTask.componentIdx(),
    });
  }
  
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
  
  function _liftFlatRecord(meta) {
    const { fieldMetas, size32: recordSize32, align32: recordAlign32 } = meta;
    return function _liftFlatRecordInner(ctx) {
      _debugLog('[_liftFlatRecord()] args', { ctx });
      
      const originalPtr = ctx.storagePtr;
      const res = {};
      for (const [key, liftFn, size32, align32] of fieldMetas) {
        let fieldPtr;
        if (ctx.storagePtr !== undefined) {
          const rem = ctx.storagePtr % align32;
          if (rem !== 0) { ctx.storagePtr += align32 - rem; }
          fieldPtr = ctx.storagePtr;
        }
        
        // A field occupies exactly size32 bytes of the record's
        // flat storage. Capture the remaining storage budget before
        // lifting the field and restore it afterwards: a field's own
        // lift fn may repurpose storageLen internally (e.g. a list
        // sets it to the element-buffer length while reading
        // out-of-line data and never restores it), which would
        // otherwise corrupt the budget the next field sees.
        // See https://github.com/bytecodealliance/jco/issues/1585.
        let fieldLen;
        if (ctx.storageLen !== undefined) { fieldLen = ctx.storageLen; }
        
        let [val, newCtx] = liftFn(ctx);
        res[key] = val;
        ctx = newCtx;
        
        if (fieldPtr !== undefined) {
          ctx.storagePtr = Math.max(ctx.storagePtr, fieldPtr + size32);
        }
        if (fieldLen !== undefined) {
          ctx.storageLen = fieldLen - size32;
        }
      }
      
      if (originalPtr !== undefined) {
        ctx.storagePtr = Math.max(ctx.storagePtr, originalPtr + recordSize32);
      }
      
      if (ctx.storagePtr !== undefined) {
        const rem = ctx.storagePtr % recordAlign32;
        if (rem !== 0) { ctx.storagePtr += recordAlign32 - rem; }
      }
      
      return [res, ctx];
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

function _liftFlatFlags(meta) {
  const { names, size32, align32, intSizeBytes } = meta;
  
  return function _liftFlatFlagsInner(ctx) {
    _debugLog('[_liftFlatFlags()] args', { ctx });
    
    let val = {};
    
    let liftRes;
    let align;
    switch (intSizeBytes) {
      case 1:
      liftRes = _liftFlatU8(ctx);
      break;
      case 2:
      liftRes = _liftFlatU16(ctx);
      break;
      case 4:
      liftRes = _liftFlatU32(ctx);
      break;
      default:
      throw new Error('invalid flags size');
    }
    let bits = liftRes[0];
    ctx = liftRes[1];
    
    
    for (const name of names) {
      val[name] = (bits & 1) === 1;
      bits >>>= 1;
    }
    
    
    const rem = ctx.storagePtr % align32;
    if (rem !== 0) { ctx.storagePtr += align32 - rem; }
    
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

function _liftFlatResult(meta) {
  const f = _liftFlatVariant(meta);
  return function _liftFlatResultInner(ctx) {
    _debugLog('[_liftFlatResult()] args', { ctx });
    const res = f(ctx);
    if (!('val' in res[0])) { res[0].val = undefined; }
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

function _lowerFlatEnum(meta) {
  const f = _lowerFlatVariant(meta);
  return function _lowerFlatEnumInner(ctx) {
    _debugLog('[_lowerFlatEnum()] args', { ctx });
    
    const v = ctx.vals[0];
    const isNotEnumObject = typeof v !== 'object'
    || Object.keys(v).length !== 2
    || !('tag' in v);
    if (isNotEnumObject) {
      ctx.vals[0] = { tag: v };
    }
    
    f(ctx);
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

const _conditionalSuspending3I32ToVoidModule = new WebAssembly.Module(new Uint8Array([
0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
0x01, 0x0e, 0x02, 0x60, 0x03, 0x7f, 0x7f, 0x7f,
0x01, 0x7f, 0x60, 0x03, 0x7f, 0x7f, 0x7f, 0x00,
0x02, 0x11, 0x02, 0x00, 0x04, 0x66, 0x61, 0x73,
0x74, 0x00, 0x00, 0x00, 0x04, 0x73, 0x6c, 0x6f,
0x77, 0x00, 0x00, 0x03, 0x02, 0x01, 0x01, 0x07,
0x07, 0x01, 0x03, 0x72, 0x75, 0x6e, 0x00, 0x02,
0x0a, 0x19, 0x01, 0x17, 0x00, 0x20, 0x00, 0x20,
0x01, 0x20, 0x02, 0x10, 0x00, 0x45, 0x04, 0x40,
0x20, 0x00, 0x20, 0x01, 0x20, 0x02, 0x10, 0x01,
0x1a, 0x0b, 0x0b,
]));

function _conditionalSuspending3I32ToVoid(fast, slow) {
  return new WebAssembly.Instance(
  _conditionalSuspending3I32ToVoidModule,
  { '': { fast, slow: new WebAssembly.Suspending(slow) } },
  ).exports.run;
}


const module0 = getCoreModule('webhook.core.wasm');
const module1 = getCoreModule('webhook.core2.wasm');
const module2 = getCoreModule('webhook.core3.wasm');
const module3 = getCoreModule('webhook.core4.wasm');
const module4 = getCoreModule('webhook.core5.wasm');
const module5 = getCoreModule('webhook.core6.wasm');
const module6 = getCoreModule('webhook.core7.wasm');
const module7 = getCoreModule('webhook.core8.wasm');
const module8 = getCoreModule('webhook.core9.wasm');
const module9 = getCoreModule('webhook.core10.wasm');

const { getEnvironment } = imports['wasi:cli/environment'];

if (getEnvironment=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'getEnvironment', was 'getEnvironment' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}

const { getStderr } = imports['wasi:cli/stderr'];

if (getStderr=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'getStderr', was 'getStderr' available at instantiation?");
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

const { getDirectories } = imports['wasi:filesystem/preopens'];

if (getDirectories=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'getDirectories', was 'getDirectories' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}

const { Descriptor, DirectoryEntryStream } = imports['wasi:filesystem/types'];

if (Descriptor=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'Descriptor', was 'Descriptor' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (DirectoryEntryStream=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'DirectoryEntryStream', was 'DirectoryEntryStream' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}

const { handle } = imports['wasi:http/outgoing-handler'];

if (handle=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'handle', was 'handle' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}

const { Fields, FutureIncomingResponse, IncomingBody, IncomingRequest, IncomingResponse, OutgoingBody, OutgoingRequest, OutgoingResponse, RequestOptions, ResponseOutparam, httpErrorCode } = imports['wasi:http/types'];

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


if (IncomingRequest=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'IncomingRequest', was 'IncomingRequest' available at instantiation?");
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


if (OutgoingResponse=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'OutgoingResponse', was 'OutgoingResponse' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (RequestOptions=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'RequestOptions', was 'RequestOptions' available at instantiation?");
  console.error("ERROR:", err.toString());
  throw err;
}


if (ResponseOutparam=== undefined) {
  const err = new Error("unexpectedly undefined instance import 'ResponseOutparam', was 'ResponseOutparam' available at instantiation?");
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
  const instanceFlags1 = new WebAssembly.Global({ value: "i32", mutable: true }, 1);
  INSTANCE_FLAGS.set(1, instanceFlags1);
  const instanceFlags3 = new WebAssembly.Global({ value: "i32", mutable: true }, 1);
  INSTANCE_FLAGS.set(3, instanceFlags3);
  const instanceFlags5 = new WebAssembly.Global({ value: "i32", mutable: true }, 1);
  INSTANCE_FLAGS.set(5, instanceFlags5);
  let exports0;
  
  const handleTable16 = [T_FLAG, 0];
  handleTable16._createdReps = new Set();
  handleTable16._componentIdx = 1;
  
  
  const captureTable5= new Map();
  let captureCnt5= 0;
  
  HANDLE_TABLES[16] = handleTable16;
  
  const handleTable17 = [T_FLAG, 0];
  handleTable17._createdReps = new Set();
  handleTable17._componentIdx = 1;
  
  
  const captureTable10= new Map();
  let captureCnt10= 0;
  
  HANDLE_TABLES[17] = handleTable17;
  
  const _trampoline0 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable16[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable5.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Fields.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    else {
      captureTable5.delete(rep2);
    }
    rscTableRemove(handleTable16, handle1);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
      const rep = ret[symbolRscRep] || ++captureCnt10;
      captureTable10.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable17, rep);
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
  
  const handleTable23 = [T_FLAG, 0];
  handleTable23._createdReps = new Set();
  handleTable23._componentIdx = 1;
  
  
  const captureTable2= new Map();
  let captureCnt2= 0;
  
  HANDLE_TABLES[23] = handleTable23;
  
  const handleTable22 = [T_FLAG, 0];
  handleTable22._createdReps = new Set();
  handleTable22._componentIdx = 1;
  
  
  const captureTable1= new Map();
  let captureCnt1= 0;
  
  HANDLE_TABLES[22] = handleTable22;
  
  const _trampoline1 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable23[(handle1 << 1) + 1] & ~T_FLAG;
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
      const rep = ret[symbolRscRep] || ++captureCnt1;
      captureTable1.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable22, rep);
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
  
  const handleTable18 = [T_FLAG, 0];
  handleTable18._createdReps = new Set();
  handleTable18._componentIdx = 1;
  
  
  const captureTable12= new Map();
  let captureCnt12= 0;
  
  HANDLE_TABLES[18] = handleTable18;
  
  const _trampoline2 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable18[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable12.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
    
    var rep2 = handleTable18[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable12.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
      const rep = ret[symbolRscRep] || ++captureCnt5;
      captureTable5.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable16, rep);
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
  
  const handleTable24 = [T_FLAG, 0];
  handleTable24._createdReps = new Set();
  handleTable24._componentIdx = 1;
  
  
  const captureTable3= new Map();
  let captureCnt3= 0;
  
  HANDLE_TABLES[24] = handleTable24;
  
  const _trampoline4 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable24[(handle1 << 1) + 1] & ~T_FLAG;
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
      const rep = ret[symbolRscRep] || ++captureCnt1;
      captureTable1.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable22, rep);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
      const rep = ret[symbolRscRep] || ++captureCnt1;
      captureTable1.set(rep, ret);
      handle0 = rscTableCreateOwn(handleTable22, rep);
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
    
    var rep2 = handleTable22[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable1.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
      const rep = ret[symbolRscRep] || ++captureCnt1;
      captureTable1.set(rep, ret);
      handle0 = rscTableCreateOwn(handleTable22, rep);
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
    
    var rep2 = handleTable22[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable1.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
  
  const handleTable20 = [T_FLAG, 0];
  handleTable20._createdReps = new Set();
  handleTable20._componentIdx = 1;
  
  
  const captureTable11= new Map();
  let captureCnt11= 0;
  
  HANDLE_TABLES[20] = handleTable20;
  
  const _trampoline20 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable20[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable11.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
      const rep = ret[symbolRscRep] || ++captureCnt1;
      captureTable1.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable22, rep);
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
    
    var rep2 = handleTable16[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable5.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
    
    var rep2 = handleTable17[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable10.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
    
    var rep2 = handleTable17[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable10.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
    
    var rep2 = handleTable17[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable10.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
    
    var rep2 = handleTable17[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable10.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
  
  const handleTable21 = [T_FLAG, 0];
  handleTable21._createdReps = new Set();
  handleTable21._componentIdx = 1;
  
  
  const captureTable8= new Map();
  let captureCnt8= 0;
  
  HANDLE_TABLES[21] = handleTable21;
  
  const _trampoline26 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable17[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable10.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
          const rep = e[symbolRscRep] || ++captureCnt8;
          captureTable8.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable21, rep);
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
    
    var rep2 = handleTable21[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable8.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
          handle4 = rscTableCreateOwn(handleTable23, rep);
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
    
    var rep2 = handleTable21[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable8.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingBody.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    else {
      captureTable8.delete(rep2);
    }
    rscTableRemove(handleTable21, handle1);
    let variant6;
    switch (arg1) {
      case 0: {
        variant6 = undefined;
        break;
      }
      case 1: {
        var handle4 = arg2;
        
        var rep5 = handleTable16[(handle4 << 1) + 1] & ~T_FLAG;
        var rsc3 = captureTable5.get(rep5);
        if (!rsc3) {
          rsc3 = Object.create(Fields.prototype);
          Object.defineProperty(rsc3, symbolRscHandle, { writable: true, value: handle4});
          Object.defineProperty(rsc3, symbolRscRep, { writable: true, value: rep5});
        }
        
        else {
          captureTable5.delete(rep5);
        }
        rscTableRemove(handleTable16, handle4);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
    
    var rep2 = handleTable20[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable11.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
                const rep = e[symbolRscRep] || ++captureCnt12;
                captureTable12.set(rep, e);
                handle3 = rscTableCreateOwn(handleTable18, rep);
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
  
  const handleTable19 = [T_FLAG, 0];
  handleTable19._createdReps = new Set();
  handleTable19._componentIdx = 1;
  
  
  const captureTable6= new Map();
  let captureCnt6= 0;
  
  HANDLE_TABLES[19] = handleTable19;
  
  const _trampoline30 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable18[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable12.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
          const rep = e[symbolRscRep] || ++captureCnt6;
          captureTable6.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable19, rep);
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
    
    var rep2 = handleTable19[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable6.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
          handle4 = rscTableCreateOwn(handleTable24, rep);
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
  
  const handleTable25 = [T_FLAG, 0];
  handleTable25._createdReps = new Set();
  handleTable25._componentIdx = 1;
  
  
  const captureTable0= new Map();
  let captureCnt0= 0;
  
  HANDLE_TABLES[25] = handleTable25;
  
  const _trampoline32 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable25[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable0.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
          const rep = e[symbolRscRep] || ++captureCnt5;
          captureTable5.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable16, rep);
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
  
  const handleTable26 = [T_FLAG, 0];
  handleTable26._createdReps = new Set();
  handleTable26._componentIdx = 1;
  
  
  const captureTable13= new Map();
  let captureCnt13= 0;
  
  HANDLE_TABLES[26] = handleTable26;
  
  const _trampoline34 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable17[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable10.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingRequest.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    else {
      captureTable10.delete(rep2);
    }
    rscTableRemove(handleTable17, handle1);
    let variant6;
    switch (arg1) {
      case 0: {
        variant6 = undefined;
        break;
      }
      case 1: {
        var handle4 = arg2;
        
        var rep5 = handleTable26[(handle4 << 1) + 1] & ~T_FLAG;
        var rsc3 = captureTable13.get(rep5);
        if (!rsc3) {
          rsc3 = Object.create(RequestOptions.prototype);
          Object.defineProperty(rsc3, symbolRscHandle, { writable: true, value: handle4});
          Object.defineProperty(rsc3, symbolRscRep, { writable: true, value: rep5});
        }
        
        else {
          captureTable13.delete(rep5);
        }
        rscTableRemove(handleTable26, handle4);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
          const rep = e[symbolRscRep] || ++captureCnt11;
          captureTable11.set(rep, e);
          handle8 = rscTableCreateOwn(handleTable20, rep);
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
    
    var rep2 = handleTable23[(handle1 << 1) + 1] & ~T_FLAG;
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
              const rep = e[symbolRscRep] || ++captureCnt0;
              captureTable0.set(rep, e);
              handle4 = rscTableCreateOwn(handleTable25, rep);
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
    
    var rep2 = handleTable23[(handle1 << 1) + 1] & ~T_FLAG;
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
              const rep = e[symbolRscRep] || ++captureCnt0;
              captureTable0.set(rep, e);
              handle5 = rscTableCreateOwn(handleTable25, rep);
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
    
    var rep2 = handleTable24[(handle1 << 1) + 1] & ~T_FLAG;
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      if (getOrCreateAsyncState(1).markTrapped(e)) { throw e; }
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
              const rep = e[symbolRscRep] || ++captureCnt0;
              captureTable0.set(rep, e);
              handle5 = rscTableCreateOwn(handleTable25, rep);
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
      
      var rep2 = handleTable22[(handle1 << 1) + 1] & ~T_FLAG;
      var rsc0 = captureTable1.get(rep2);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
      1,
      _getGlobalCurrentTaskMeta(1)?.taskID,
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
      getOrCreateAsyncState(1).markTrapped(err);
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
  let exports3;
  let exports4;
  let memory1;
  let realloc1;
  let realloc1Async;
  
  const handleTable27 = [T_FLAG, 0];
  handleTable27._createdReps = new Set();
  handleTable27._componentIdx = 3;
  
  
  const captureTable14= new Map();
  let captureCnt14= 0;
  
  HANDLE_TABLES[27] = handleTable27;
  
  const _trampoline42 = function(arg0, arg1, arg2, arg3, arg4) {
    var handle1 = arg0;
    
    var rep2 = handleTable27[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable14.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Descriptor.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    if ((arg1 & 4294967294) !== 0) {
      throw new TypeError('flags have extraneous bits set');
    }
    var flags3 = {
      symlinkFollow: Boolean(arg1 & 1),
    };
    var ptr4 = arg2;
    var len4 = arg3;
    var result4 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory1.buffer, ptr4, len4));
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.stat-at"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'statAt',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      3,
      _getGlobalCurrentTaskMeta(3)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.statAt(flags3, result4)),
      })
      ;
      ret = hostRet5 !== null && typeof hostRet5 === 'object' && (hostRet5.tag === 'ok' || hostRet5.tag === 'err')
      ? hostRet5
      : { tag: 'ok', val: hostRet5};
    } catch (e) {
      if (getOrCreateAsyncState(3).markTrapped(e)) { throw e; }
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
    var variant15 = ret;
    switch (variant15.tag) {
      case 'ok': {
        const e = variant15.val;
        dataView(memory1).setInt8(arg4 + 0, 0, true);
        var {type: v6_0, linkCount: v6_1, size: v6_2, dataAccessTimestamp: v6_3, dataModificationTimestamp: v6_4, statusChangeTimestamp: v6_5 } = e;
        var val7 = v6_0;
        let enum7;
        switch (val7) {
          case 'unknown': {
            enum7 = 0;
            break;
          }
          case 'block-device': {
            enum7 = 1;
            break;
          }
          case 'character-device': {
            enum7 = 2;
            break;
          }
          case 'directory': {
            enum7 = 3;
            break;
          }
          case 'fifo': {
            enum7 = 4;
            break;
          }
          case 'symbolic-link': {
            enum7 = 5;
            break;
          }
          case 'regular-file': {
            enum7 = 6;
            break;
          }
          case 'socket': {
            enum7 = 7;
            break;
          }
          default: {
            if ((v6_0) instanceof Error) {
              console.error(v6_0);
            }
            
            throw new TypeError(`"${val7}" is not one of the cases of descriptor-type`);
          }
        }
        dataView(memory1).setInt8(arg4 + 8, enum7, true);
        dataView(memory1).setBigInt64(arg4 + 16, toUint64(v6_1), true);
        dataView(memory1).setBigInt64(arg4 + 24, toUint64(v6_2), true);
        var variant9 = v6_3;
        if (variant9 === null || variant9=== undefined) {
          dataView(memory1).setInt8(arg4 + 32, 0, true);
        } else {
          const e = variant9;
          dataView(memory1).setInt8(arg4 + 32, 1, true);
          var {seconds: v8_0, nanoseconds: v8_1 } = e;
          dataView(memory1).setBigInt64(arg4 + 40, toUint64(v8_0), true);
          dataView(memory1).setInt32(arg4 + 48, toUint32(v8_1), true);
        }
        var variant11 = v6_4;
        if (variant11 === null || variant11=== undefined) {
          dataView(memory1).setInt8(arg4 + 56, 0, true);
        } else {
          const e = variant11;
          dataView(memory1).setInt8(arg4 + 56, 1, true);
          var {seconds: v10_0, nanoseconds: v10_1 } = e;
          dataView(memory1).setBigInt64(arg4 + 64, toUint64(v10_0), true);
          dataView(memory1).setInt32(arg4 + 72, toUint32(v10_1), true);
        }
        var variant13 = v6_5;
        if (variant13 === null || variant13=== undefined) {
          dataView(memory1).setInt8(arg4 + 80, 0, true);
        } else {
          const e = variant13;
          dataView(memory1).setInt8(arg4 + 80, 1, true);
          var {seconds: v12_0, nanoseconds: v12_1 } = e;
          dataView(memory1).setBigInt64(arg4 + 88, toUint64(v12_0), true);
          dataView(memory1).setInt32(arg4 + 96, toUint32(v12_1), true);
        }
        
        break;
      }
      case 'err': {
        const e = variant15.val;
        dataView(memory1).setInt8(arg4 + 0, 1, true);
        var val14 = e;
        let enum14;
        switch (val14) {
          case 'access': {
            enum14 = 0;
            break;
          }
          case 'would-block': {
            enum14 = 1;
            break;
          }
          case 'already': {
            enum14 = 2;
            break;
          }
          case 'bad-descriptor': {
            enum14 = 3;
            break;
          }
          case 'busy': {
            enum14 = 4;
            break;
          }
          case 'deadlock': {
            enum14 = 5;
            break;
          }
          case 'quota': {
            enum14 = 6;
            break;
          }
          case 'exist': {
            enum14 = 7;
            break;
          }
          case 'file-too-large': {
            enum14 = 8;
            break;
          }
          case 'illegal-byte-sequence': {
            enum14 = 9;
            break;
          }
          case 'in-progress': {
            enum14 = 10;
            break;
          }
          case 'interrupted': {
            enum14 = 11;
            break;
          }
          case 'invalid': {
            enum14 = 12;
            break;
          }
          case 'io': {
            enum14 = 13;
            break;
          }
          case 'is-directory': {
            enum14 = 14;
            break;
          }
          case 'loop': {
            enum14 = 15;
            break;
          }
          case 'too-many-links': {
            enum14 = 16;
            break;
          }
          case 'message-size': {
            enum14 = 17;
            break;
          }
          case 'name-too-long': {
            enum14 = 18;
            break;
          }
          case 'no-device': {
            enum14 = 19;
            break;
          }
          case 'no-entry': {
            enum14 = 20;
            break;
          }
          case 'no-lock': {
            enum14 = 21;
            break;
          }
          case 'insufficient-memory': {
            enum14 = 22;
            break;
          }
          case 'insufficient-space': {
            enum14 = 23;
            break;
          }
          case 'not-directory': {
            enum14 = 24;
            break;
          }
          case 'not-empty': {
            enum14 = 25;
            break;
          }
          case 'not-recoverable': {
            enum14 = 26;
            break;
          }
          case 'unsupported': {
            enum14 = 27;
            break;
          }
          case 'no-tty': {
            enum14 = 28;
            break;
          }
          case 'no-such-device': {
            enum14 = 29;
            break;
          }
          case 'overflow': {
            enum14 = 30;
            break;
          }
          case 'not-permitted': {
            enum14 = 31;
            break;
          }
          case 'pipe': {
            enum14 = 32;
            break;
          }
          case 'read-only': {
            enum14 = 33;
            break;
          }
          case 'invalid-seek': {
            enum14 = 34;
            break;
          }
          case 'text-file-busy': {
            enum14 = 35;
            break;
          }
          case 'cross-device': {
            enum14 = 36;
            break;
          }
          default: {
            if ((e) instanceof Error) {
              console.error(e);
            }
            
            throw new TypeError(`"${val14}" is not one of the cases of error-code`);
          }
        }
        dataView(memory1).setInt8(arg4 + 8, enum14, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant15, valueType: typeof variant15});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.stat-at"][Instruction::Return]', {
      funcName: '[method]descriptor.stat-at',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline42.fnName = 'wasi:filesystem/types@0.2.0#statAt';
  
  const _trampoline43 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable27[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable14.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Descriptor.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.read"] [Instruction::CallInterface] (sync, @ enter)');
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
      3,
      _getGlobalCurrentTaskMeta(3)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.read(BigInt.asUintN(64, BigInt(arg1)), BigInt.asUintN(64, BigInt(arg2)))),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(3).markTrapped(e)) { throw e; }
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
        dataView(memory1).setInt8(arg3 + 0, 0, true);
        var [tuple4_0, tuple4_1] = e;
        var val5 = tuple4_0;
        var len5 = Array.isArray(val5) ? val5.length : val5.byteLength;
        var ptr5 = realloc1(0, 0, 1, len5 * 1);
        
        let valData5;
        const valLenBytes5 = len5 * 1;
        if (Array.isArray(val5)) {
          // Regular array likely containing numbers, write values to memory
          let offset = 0;
          const dv5 = new DataView(memory1.buffer);
          for (const v of val5) {
            _requireValidNumericPrimitive.bind(null, 'u8')(v);
            dv5.setUint8(ptr5+ offset, v, true);
            offset += 1;
          }
        } else {
          // TypedArray / ArrayBuffer-like, direct copy
          valData5 = new Uint8Array(val5.buffer || val5, val5.byteOffset, valLenBytes5);
          const out5 = new Uint8Array(memory1.buffer, ptr5, valLenBytes5);
          out5.set(valData5);
        }
        
        dataView(memory1).setUint32(arg3 + 8, len5, true);
        dataView(memory1).setUint32(arg3 + 4, ptr5, true);
        dataView(memory1).setInt8(arg3 + 12, tuple4_1 ? 1 : 0, true);
        
        break;
      }
      case 'err': {
        const e = variant7.val;
        dataView(memory1).setInt8(arg3 + 0, 1, true);
        var val6 = e;
        let enum6;
        switch (val6) {
          case 'access': {
            enum6 = 0;
            break;
          }
          case 'would-block': {
            enum6 = 1;
            break;
          }
          case 'already': {
            enum6 = 2;
            break;
          }
          case 'bad-descriptor': {
            enum6 = 3;
            break;
          }
          case 'busy': {
            enum6 = 4;
            break;
          }
          case 'deadlock': {
            enum6 = 5;
            break;
          }
          case 'quota': {
            enum6 = 6;
            break;
          }
          case 'exist': {
            enum6 = 7;
            break;
          }
          case 'file-too-large': {
            enum6 = 8;
            break;
          }
          case 'illegal-byte-sequence': {
            enum6 = 9;
            break;
          }
          case 'in-progress': {
            enum6 = 10;
            break;
          }
          case 'interrupted': {
            enum6 = 11;
            break;
          }
          case 'invalid': {
            enum6 = 12;
            break;
          }
          case 'io': {
            enum6 = 13;
            break;
          }
          case 'is-directory': {
            enum6 = 14;
            break;
          }
          case 'loop': {
            enum6 = 15;
            break;
          }
          case 'too-many-links': {
            enum6 = 16;
            break;
          }
          case 'message-size': {
            enum6 = 17;
            break;
          }
          case 'name-too-long': {
            enum6 = 18;
            break;
          }
          case 'no-device': {
            enum6 = 19;
            break;
          }
          case 'no-entry': {
            enum6 = 20;
            break;
          }
          case 'no-lock': {
            enum6 = 21;
            break;
          }
          case 'insufficient-memory': {
            enum6 = 22;
            break;
          }
          case 'insufficient-space': {
            enum6 = 23;
            break;
          }
          case 'not-directory': {
            enum6 = 24;
            break;
          }
          case 'not-empty': {
            enum6 = 25;
            break;
          }
          case 'not-recoverable': {
            enum6 = 26;
            break;
          }
          case 'unsupported': {
            enum6 = 27;
            break;
          }
          case 'no-tty': {
            enum6 = 28;
            break;
          }
          case 'no-such-device': {
            enum6 = 29;
            break;
          }
          case 'overflow': {
            enum6 = 30;
            break;
          }
          case 'not-permitted': {
            enum6 = 31;
            break;
          }
          case 'pipe': {
            enum6 = 32;
            break;
          }
          case 'read-only': {
            enum6 = 33;
            break;
          }
          case 'invalid-seek': {
            enum6 = 34;
            break;
          }
          case 'text-file-busy': {
            enum6 = 35;
            break;
          }
          case 'cross-device': {
            enum6 = 36;
            break;
          }
          default: {
            if ((e) instanceof Error) {
              console.error(e);
            }
            
            throw new TypeError(`"${val6}" is not one of the cases of error-code`);
          }
        }
        dataView(memory1).setInt8(arg3 + 4, enum6, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant7, valueType: typeof variant7});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.read"][Instruction::Return]', {
      funcName: '[method]descriptor.read',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline43.fnName = 'wasi:filesystem/types@0.2.0#read';
  
  const _trampoline44 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable27[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable14.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Descriptor.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.stat"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'stat',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      3,
      _getGlobalCurrentTaskMeta(3)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.stat()),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(3).markTrapped(e)) { throw e; }
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
    var variant13 = ret;
    switch (variant13.tag) {
      case 'ok': {
        const e = variant13.val;
        dataView(memory1).setInt8(arg1 + 0, 0, true);
        var {type: v4_0, linkCount: v4_1, size: v4_2, dataAccessTimestamp: v4_3, dataModificationTimestamp: v4_4, statusChangeTimestamp: v4_5 } = e;
        var val5 = v4_0;
        let enum5;
        switch (val5) {
          case 'unknown': {
            enum5 = 0;
            break;
          }
          case 'block-device': {
            enum5 = 1;
            break;
          }
          case 'character-device': {
            enum5 = 2;
            break;
          }
          case 'directory': {
            enum5 = 3;
            break;
          }
          case 'fifo': {
            enum5 = 4;
            break;
          }
          case 'symbolic-link': {
            enum5 = 5;
            break;
          }
          case 'regular-file': {
            enum5 = 6;
            break;
          }
          case 'socket': {
            enum5 = 7;
            break;
          }
          default: {
            if ((v4_0) instanceof Error) {
              console.error(v4_0);
            }
            
            throw new TypeError(`"${val5}" is not one of the cases of descriptor-type`);
          }
        }
        dataView(memory1).setInt8(arg1 + 8, enum5, true);
        dataView(memory1).setBigInt64(arg1 + 16, toUint64(v4_1), true);
        dataView(memory1).setBigInt64(arg1 + 24, toUint64(v4_2), true);
        var variant7 = v4_3;
        if (variant7 === null || variant7=== undefined) {
          dataView(memory1).setInt8(arg1 + 32, 0, true);
        } else {
          const e = variant7;
          dataView(memory1).setInt8(arg1 + 32, 1, true);
          var {seconds: v6_0, nanoseconds: v6_1 } = e;
          dataView(memory1).setBigInt64(arg1 + 40, toUint64(v6_0), true);
          dataView(memory1).setInt32(arg1 + 48, toUint32(v6_1), true);
        }
        var variant9 = v4_4;
        if (variant9 === null || variant9=== undefined) {
          dataView(memory1).setInt8(arg1 + 56, 0, true);
        } else {
          const e = variant9;
          dataView(memory1).setInt8(arg1 + 56, 1, true);
          var {seconds: v8_0, nanoseconds: v8_1 } = e;
          dataView(memory1).setBigInt64(arg1 + 64, toUint64(v8_0), true);
          dataView(memory1).setInt32(arg1 + 72, toUint32(v8_1), true);
        }
        var variant11 = v4_5;
        if (variant11 === null || variant11=== undefined) {
          dataView(memory1).setInt8(arg1 + 80, 0, true);
        } else {
          const e = variant11;
          dataView(memory1).setInt8(arg1 + 80, 1, true);
          var {seconds: v10_0, nanoseconds: v10_1 } = e;
          dataView(memory1).setBigInt64(arg1 + 88, toUint64(v10_0), true);
          dataView(memory1).setInt32(arg1 + 96, toUint32(v10_1), true);
        }
        
        break;
      }
      case 'err': {
        const e = variant13.val;
        dataView(memory1).setInt8(arg1 + 0, 1, true);
        var val12 = e;
        let enum12;
        switch (val12) {
          case 'access': {
            enum12 = 0;
            break;
          }
          case 'would-block': {
            enum12 = 1;
            break;
          }
          case 'already': {
            enum12 = 2;
            break;
          }
          case 'bad-descriptor': {
            enum12 = 3;
            break;
          }
          case 'busy': {
            enum12 = 4;
            break;
          }
          case 'deadlock': {
            enum12 = 5;
            break;
          }
          case 'quota': {
            enum12 = 6;
            break;
          }
          case 'exist': {
            enum12 = 7;
            break;
          }
          case 'file-too-large': {
            enum12 = 8;
            break;
          }
          case 'illegal-byte-sequence': {
            enum12 = 9;
            break;
          }
          case 'in-progress': {
            enum12 = 10;
            break;
          }
          case 'interrupted': {
            enum12 = 11;
            break;
          }
          case 'invalid': {
            enum12 = 12;
            break;
          }
          case 'io': {
            enum12 = 13;
            break;
          }
          case 'is-directory': {
            enum12 = 14;
            break;
          }
          case 'loop': {
            enum12 = 15;
            break;
          }
          case 'too-many-links': {
            enum12 = 16;
            break;
          }
          case 'message-size': {
            enum12 = 17;
            break;
          }
          case 'name-too-long': {
            enum12 = 18;
            break;
          }
          case 'no-device': {
            enum12 = 19;
            break;
          }
          case 'no-entry': {
            enum12 = 20;
            break;
          }
          case 'no-lock': {
            enum12 = 21;
            break;
          }
          case 'insufficient-memory': {
            enum12 = 22;
            break;
          }
          case 'insufficient-space': {
            enum12 = 23;
            break;
          }
          case 'not-directory': {
            enum12 = 24;
            break;
          }
          case 'not-empty': {
            enum12 = 25;
            break;
          }
          case 'not-recoverable': {
            enum12 = 26;
            break;
          }
          case 'unsupported': {
            enum12 = 27;
            break;
          }
          case 'no-tty': {
            enum12 = 28;
            break;
          }
          case 'no-such-device': {
            enum12 = 29;
            break;
          }
          case 'overflow': {
            enum12 = 30;
            break;
          }
          case 'not-permitted': {
            enum12 = 31;
            break;
          }
          case 'pipe': {
            enum12 = 32;
            break;
          }
          case 'read-only': {
            enum12 = 33;
            break;
          }
          case 'invalid-seek': {
            enum12 = 34;
            break;
          }
          case 'text-file-busy': {
            enum12 = 35;
            break;
          }
          case 'cross-device': {
            enum12 = 36;
            break;
          }
          default: {
            if ((e) instanceof Error) {
              console.error(e);
            }
            
            throw new TypeError(`"${val12}" is not one of the cases of error-code`);
          }
        }
        dataView(memory1).setInt8(arg1 + 8, enum12, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant13, valueType: typeof variant13});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.stat"][Instruction::Return]', {
      funcName: '[method]descriptor.stat',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline44.fnName = 'wasi:filesystem/types@0.2.0#stat';
  
  const _trampoline45 = function(arg0, arg1, arg2, arg3, arg4) {
    var handle1 = arg0;
    
    var rep2 = handleTable27[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable14.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Descriptor.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    var ptr3 = arg1;
    var len3 = arg2;
    if (ptr3 % 1 !== 0) throw new TypeError(`list pointer [${ptr3}] is not aligned to 1`);
    var result3 = new Uint8Array(memory1.buffer.slice(ptr3, ptr3 + len3 * 1));
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.write"] [Instruction::CallInterface] (sync, @ enter)');
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
      3,
      _getGlobalCurrentTaskMeta(3)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.write(result3, BigInt.asUintN(64, BigInt(arg3)))),
      })
      ;
      ret = hostRet4 !== null && typeof hostRet4 === 'object' && (hostRet4.tag === 'ok' || hostRet4.tag === 'err')
      ? hostRet4
      : { tag: 'ok', val: hostRet4};
    } catch (e) {
      if (getOrCreateAsyncState(3).markTrapped(e)) { throw e; }
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
        dataView(memory1).setInt8(arg4 + 0, 0, true);
        dataView(memory1).setBigInt64(arg4 + 8, toUint64(e), true);
        
        break;
      }
      case 'err': {
        const e = variant6.val;
        dataView(memory1).setInt8(arg4 + 0, 1, true);
        var val5 = e;
        let enum5;
        switch (val5) {
          case 'access': {
            enum5 = 0;
            break;
          }
          case 'would-block': {
            enum5 = 1;
            break;
          }
          case 'already': {
            enum5 = 2;
            break;
          }
          case 'bad-descriptor': {
            enum5 = 3;
            break;
          }
          case 'busy': {
            enum5 = 4;
            break;
          }
          case 'deadlock': {
            enum5 = 5;
            break;
          }
          case 'quota': {
            enum5 = 6;
            break;
          }
          case 'exist': {
            enum5 = 7;
            break;
          }
          case 'file-too-large': {
            enum5 = 8;
            break;
          }
          case 'illegal-byte-sequence': {
            enum5 = 9;
            break;
          }
          case 'in-progress': {
            enum5 = 10;
            break;
          }
          case 'interrupted': {
            enum5 = 11;
            break;
          }
          case 'invalid': {
            enum5 = 12;
            break;
          }
          case 'io': {
            enum5 = 13;
            break;
          }
          case 'is-directory': {
            enum5 = 14;
            break;
          }
          case 'loop': {
            enum5 = 15;
            break;
          }
          case 'too-many-links': {
            enum5 = 16;
            break;
          }
          case 'message-size': {
            enum5 = 17;
            break;
          }
          case 'name-too-long': {
            enum5 = 18;
            break;
          }
          case 'no-device': {
            enum5 = 19;
            break;
          }
          case 'no-entry': {
            enum5 = 20;
            break;
          }
          case 'no-lock': {
            enum5 = 21;
            break;
          }
          case 'insufficient-memory': {
            enum5 = 22;
            break;
          }
          case 'insufficient-space': {
            enum5 = 23;
            break;
          }
          case 'not-directory': {
            enum5 = 24;
            break;
          }
          case 'not-empty': {
            enum5 = 25;
            break;
          }
          case 'not-recoverable': {
            enum5 = 26;
            break;
          }
          case 'unsupported': {
            enum5 = 27;
            break;
          }
          case 'no-tty': {
            enum5 = 28;
            break;
          }
          case 'no-such-device': {
            enum5 = 29;
            break;
          }
          case 'overflow': {
            enum5 = 30;
            break;
          }
          case 'not-permitted': {
            enum5 = 31;
            break;
          }
          case 'pipe': {
            enum5 = 32;
            break;
          }
          case 'read-only': {
            enum5 = 33;
            break;
          }
          case 'invalid-seek': {
            enum5 = 34;
            break;
          }
          case 'text-file-busy': {
            enum5 = 35;
            break;
          }
          case 'cross-device': {
            enum5 = 36;
            break;
          }
          default: {
            if ((e) instanceof Error) {
              console.error(e);
            }
            
            throw new TypeError(`"${val5}" is not one of the cases of error-code`);
          }
        }
        dataView(memory1).setInt8(arg4 + 8, enum5, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant6, valueType: typeof variant6});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.write"][Instruction::Return]', {
      funcName: '[method]descriptor.write',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline45.fnName = 'wasi:filesystem/types@0.2.0#write';
  
  const _trampoline46 = function(arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7) {
    var handle1 = arg0;
    
    var rep2 = handleTable27[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable14.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Descriptor.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    if ((arg1 & 4294967294) !== 0) {
      throw new TypeError('flags have extraneous bits set');
    }
    var flags3 = {
      symlinkFollow: Boolean(arg1 & 1),
    };
    var ptr4 = arg2;
    var len4 = arg3;
    var result4 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory1.buffer, ptr4, len4));
    var handle6 = arg4;
    
    var rep7 = handleTable27[(handle6 << 1) + 1] & ~T_FLAG;
    var rsc5 = captureTable14.get(rep7);
    if (!rsc5) {
      rsc5 = Object.create(Descriptor.prototype);
      Object.defineProperty(rsc5, symbolRscHandle, { writable: true, value: handle6});
      Object.defineProperty(rsc5, symbolRscRep, { writable: true, value: rep7});
    }
    
    curResourceBorrows.push(rsc5);
    var ptr8 = arg5;
    var len8 = arg6;
    var result8 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory1.buffer, ptr8, len8));
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.link-at"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'linkAt',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      3,
      _getGlobalCurrentTaskMeta(3)?.taskID,
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
      const hostRet9 = _withGlobalCurrentTaskMeta({
        componentIdx: task.componentIdx(),
        taskID: task.id(),
        fn: () => _trackHostOperation(() => rsc0.linkAt(flags3, result4, rsc5, result8)),
      })
      ;
      ret = hostRet9 !== null && typeof hostRet9 === 'object' && (hostRet9.tag === 'ok' || hostRet9.tag === 'err')
      ? hostRet9
      : { tag: 'ok', val: hostRet9};
    } catch (e) {
      if (getOrCreateAsyncState(3).markTrapped(e)) { throw e; }
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
    var variant11 = ret;
    switch (variant11.tag) {
      case 'ok': {
        const e = variant11.val;
        dataView(memory1).setInt8(arg7 + 0, 0, true);
        
        break;
      }
      case 'err': {
        const e = variant11.val;
        dataView(memory1).setInt8(arg7 + 0, 1, true);
        var val10 = e;
        let enum10;
        switch (val10) {
          case 'access': {
            enum10 = 0;
            break;
          }
          case 'would-block': {
            enum10 = 1;
            break;
          }
          case 'already': {
            enum10 = 2;
            break;
          }
          case 'bad-descriptor': {
            enum10 = 3;
            break;
          }
          case 'busy': {
            enum10 = 4;
            break;
          }
          case 'deadlock': {
            enum10 = 5;
            break;
          }
          case 'quota': {
            enum10 = 6;
            break;
          }
          case 'exist': {
            enum10 = 7;
            break;
          }
          case 'file-too-large': {
            enum10 = 8;
            break;
          }
          case 'illegal-byte-sequence': {
            enum10 = 9;
            break;
          }
          case 'in-progress': {
            enum10 = 10;
            break;
          }
          case 'interrupted': {
            enum10 = 11;
            break;
          }
          case 'invalid': {
            enum10 = 12;
            break;
          }
          case 'io': {
            enum10 = 13;
            break;
          }
          case 'is-directory': {
            enum10 = 14;
            break;
          }
          case 'loop': {
            enum10 = 15;
            break;
          }
          case 'too-many-links': {
            enum10 = 16;
            break;
          }
          case 'message-size': {
            enum10 = 17;
            break;
          }
          case 'name-too-long': {
            enum10 = 18;
            break;
          }
          case 'no-device': {
            enum10 = 19;
            break;
          }
          case 'no-entry': {
            enum10 = 20;
            break;
          }
          case 'no-lock': {
            enum10 = 21;
            break;
          }
          case 'insufficient-memory': {
            enum10 = 22;
            break;
          }
          case 'insufficient-space': {
            enum10 = 23;
            break;
          }
          case 'not-directory': {
            enum10 = 24;
            break;
          }
          case 'not-empty': {
            enum10 = 25;
            break;
          }
          case 'not-recoverable': {
            enum10 = 26;
            break;
          }
          case 'unsupported': {
            enum10 = 27;
            break;
          }
          case 'no-tty': {
            enum10 = 28;
            break;
          }
          case 'no-such-device': {
            enum10 = 29;
            break;
          }
          case 'overflow': {
            enum10 = 30;
            break;
          }
          case 'not-permitted': {
            enum10 = 31;
            break;
          }
          case 'pipe': {
            enum10 = 32;
            break;
          }
          case 'read-only': {
            enum10 = 33;
            break;
          }
          case 'invalid-seek': {
            enum10 = 34;
            break;
          }
          case 'text-file-busy': {
            enum10 = 35;
            break;
          }
          case 'cross-device': {
            enum10 = 36;
            break;
          }
          default: {
            if ((e) instanceof Error) {
              console.error(e);
            }
            
            throw new TypeError(`"${val10}" is not one of the cases of error-code`);
          }
        }
        dataView(memory1).setInt8(arg7 + 1, enum10, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant11, valueType: typeof variant11});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.link-at"][Instruction::Return]', {
      funcName: '[method]descriptor.link-at',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline46.fnName = 'wasi:filesystem/types@0.2.0#linkAt';
  
  const _trampoline47 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable27[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable14.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Descriptor.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    var ptr3 = arg1;
    var len3 = arg2;
    var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory1.buffer, ptr3, len3));
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.create-directory-at"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'createDirectoryAt',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      3,
      _getGlobalCurrentTaskMeta(3)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.createDirectoryAt(result3)),
      })
      ;
      ret = hostRet4 !== null && typeof hostRet4 === 'object' && (hostRet4.tag === 'ok' || hostRet4.tag === 'err')
      ? hostRet4
      : { tag: 'ok', val: hostRet4};
    } catch (e) {
      if (getOrCreateAsyncState(3).markTrapped(e)) { throw e; }
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
        dataView(memory1).setInt8(arg3 + 0, 0, true);
        
        break;
      }
      case 'err': {
        const e = variant6.val;
        dataView(memory1).setInt8(arg3 + 0, 1, true);
        var val5 = e;
        let enum5;
        switch (val5) {
          case 'access': {
            enum5 = 0;
            break;
          }
          case 'would-block': {
            enum5 = 1;
            break;
          }
          case 'already': {
            enum5 = 2;
            break;
          }
          case 'bad-descriptor': {
            enum5 = 3;
            break;
          }
          case 'busy': {
            enum5 = 4;
            break;
          }
          case 'deadlock': {
            enum5 = 5;
            break;
          }
          case 'quota': {
            enum5 = 6;
            break;
          }
          case 'exist': {
            enum5 = 7;
            break;
          }
          case 'file-too-large': {
            enum5 = 8;
            break;
          }
          case 'illegal-byte-sequence': {
            enum5 = 9;
            break;
          }
          case 'in-progress': {
            enum5 = 10;
            break;
          }
          case 'interrupted': {
            enum5 = 11;
            break;
          }
          case 'invalid': {
            enum5 = 12;
            break;
          }
          case 'io': {
            enum5 = 13;
            break;
          }
          case 'is-directory': {
            enum5 = 14;
            break;
          }
          case 'loop': {
            enum5 = 15;
            break;
          }
          case 'too-many-links': {
            enum5 = 16;
            break;
          }
          case 'message-size': {
            enum5 = 17;
            break;
          }
          case 'name-too-long': {
            enum5 = 18;
            break;
          }
          case 'no-device': {
            enum5 = 19;
            break;
          }
          case 'no-entry': {
            enum5 = 20;
            break;
          }
          case 'no-lock': {
            enum5 = 21;
            break;
          }
          case 'insufficient-memory': {
            enum5 = 22;
            break;
          }
          case 'insufficient-space': {
            enum5 = 23;
            break;
          }
          case 'not-directory': {
            enum5 = 24;
            break;
          }
          case 'not-empty': {
            enum5 = 25;
            break;
          }
          case 'not-recoverable': {
            enum5 = 26;
            break;
          }
          case 'unsupported': {
            enum5 = 27;
            break;
          }
          case 'no-tty': {
            enum5 = 28;
            break;
          }
          case 'no-such-device': {
            enum5 = 29;
            break;
          }
          case 'overflow': {
            enum5 = 30;
            break;
          }
          case 'not-permitted': {
            enum5 = 31;
            break;
          }
          case 'pipe': {
            enum5 = 32;
            break;
          }
          case 'read-only': {
            enum5 = 33;
            break;
          }
          case 'invalid-seek': {
            enum5 = 34;
            break;
          }
          case 'text-file-busy': {
            enum5 = 35;
            break;
          }
          case 'cross-device': {
            enum5 = 36;
            break;
          }
          default: {
            if ((e) instanceof Error) {
              console.error(e);
            }
            
            throw new TypeError(`"${val5}" is not one of the cases of error-code`);
          }
        }
        dataView(memory1).setInt8(arg3 + 1, enum5, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant6, valueType: typeof variant6});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.create-directory-at"][Instruction::Return]', {
      funcName: '[method]descriptor.create-directory-at',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline47.fnName = 'wasi:filesystem/types@0.2.0#createDirectoryAt';
  
  const handleTable28 = [T_FLAG, 0];
  handleTable28._createdReps = new Set();
  handleTable28._componentIdx = 3;
  
  
  const captureTable15= new Map();
  let captureCnt15= 0;
  
  HANDLE_TABLES[28] = handleTable28;
  
  const _trampoline48 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable27[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable14.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Descriptor.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.read-directory"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'readDirectory',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      3,
      _getGlobalCurrentTaskMeta(3)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.readDirectory()),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(3).markTrapped(e)) { throw e; }
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
        dataView(memory1).setInt8(arg1 + 0, 0, true);
        
        if (!(e instanceof DirectoryEntryStream)) {
          throw new TypeError('Resource error: Not a valid \"DirectoryEntryStream\" resource.');
        }
        var handle4 = e[symbolRscHandle];
        if (!handle4) {
          const rep = e[symbolRscRep] || ++captureCnt15;
          captureTable15.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable28, rep);
        }
        
        dataView(memory1).setInt32(arg1 + 4, handle4, true);
        
        break;
      }
      case 'err': {
        const e = variant6.val;
        dataView(memory1).setInt8(arg1 + 0, 1, true);
        var val5 = e;
        let enum5;
        switch (val5) {
          case 'access': {
            enum5 = 0;
            break;
          }
          case 'would-block': {
            enum5 = 1;
            break;
          }
          case 'already': {
            enum5 = 2;
            break;
          }
          case 'bad-descriptor': {
            enum5 = 3;
            break;
          }
          case 'busy': {
            enum5 = 4;
            break;
          }
          case 'deadlock': {
            enum5 = 5;
            break;
          }
          case 'quota': {
            enum5 = 6;
            break;
          }
          case 'exist': {
            enum5 = 7;
            break;
          }
          case 'file-too-large': {
            enum5 = 8;
            break;
          }
          case 'illegal-byte-sequence': {
            enum5 = 9;
            break;
          }
          case 'in-progress': {
            enum5 = 10;
            break;
          }
          case 'interrupted': {
            enum5 = 11;
            break;
          }
          case 'invalid': {
            enum5 = 12;
            break;
          }
          case 'io': {
            enum5 = 13;
            break;
          }
          case 'is-directory': {
            enum5 = 14;
            break;
          }
          case 'loop': {
            enum5 = 15;
            break;
          }
          case 'too-many-links': {
            enum5 = 16;
            break;
          }
          case 'message-size': {
            enum5 = 17;
            break;
          }
          case 'name-too-long': {
            enum5 = 18;
            break;
          }
          case 'no-device': {
            enum5 = 19;
            break;
          }
          case 'no-entry': {
            enum5 = 20;
            break;
          }
          case 'no-lock': {
            enum5 = 21;
            break;
          }
          case 'insufficient-memory': {
            enum5 = 22;
            break;
          }
          case 'insufficient-space': {
            enum5 = 23;
            break;
          }
          case 'not-directory': {
            enum5 = 24;
            break;
          }
          case 'not-empty': {
            enum5 = 25;
            break;
          }
          case 'not-recoverable': {
            enum5 = 26;
            break;
          }
          case 'unsupported': {
            enum5 = 27;
            break;
          }
          case 'no-tty': {
            enum5 = 28;
            break;
          }
          case 'no-such-device': {
            enum5 = 29;
            break;
          }
          case 'overflow': {
            enum5 = 30;
            break;
          }
          case 'not-permitted': {
            enum5 = 31;
            break;
          }
          case 'pipe': {
            enum5 = 32;
            break;
          }
          case 'read-only': {
            enum5 = 33;
            break;
          }
          case 'invalid-seek': {
            enum5 = 34;
            break;
          }
          case 'text-file-busy': {
            enum5 = 35;
            break;
          }
          case 'cross-device': {
            enum5 = 36;
            break;
          }
          default: {
            if ((e) instanceof Error) {
              console.error(e);
            }
            
            throw new TypeError(`"${val5}" is not one of the cases of error-code`);
          }
        }
        dataView(memory1).setInt8(arg1 + 4, enum5, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant6, valueType: typeof variant6});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.read-directory"][Instruction::Return]', {
      funcName: '[method]descriptor.read-directory',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline48.fnName = 'wasi:filesystem/types@0.2.0#readDirectory';
  
  const _trampoline49 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable28[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable15.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(DirectoryEntryStream.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]directory-entry-stream.read-directory-entry"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'readDirectoryEntry',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      3,
      _getGlobalCurrentTaskMeta(3)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.readDirectoryEntry()),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(3).markTrapped(e)) { throw e; }
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
    var variant9 = ret;
    switch (variant9.tag) {
      case 'ok': {
        const e = variant9.val;
        dataView(memory1).setInt8(arg1 + 0, 0, true);
        var variant7 = e;
        if (variant7 === null || variant7=== undefined) {
          dataView(memory1).setInt8(arg1 + 4, 0, true);
        } else {
          const e = variant7;
          dataView(memory1).setInt8(arg1 + 4, 1, true);
          var {type: v4_0, name: v4_1 } = e;
          var val5 = v4_0;
          let enum5;
          switch (val5) {
            case 'unknown': {
              enum5 = 0;
              break;
            }
            case 'block-device': {
              enum5 = 1;
              break;
            }
            case 'character-device': {
              enum5 = 2;
              break;
            }
            case 'directory': {
              enum5 = 3;
              break;
            }
            case 'fifo': {
              enum5 = 4;
              break;
            }
            case 'symbolic-link': {
              enum5 = 5;
              break;
            }
            case 'regular-file': {
              enum5 = 6;
              break;
            }
            case 'socket': {
              enum5 = 7;
              break;
            }
            default: {
              if ((v4_0) instanceof Error) {
                console.error(v4_0);
              }
              
              throw new TypeError(`"${val5}" is not one of the cases of descriptor-type`);
            }
          }
          dataView(memory1).setInt8(arg1 + 8, enum5, true);
          
          var encodeRes = _utf8AllocateAndEncode(v4_1, realloc1, memory1);
          var ptr6= encodeRes.ptr;
          var len6 = encodeRes.len;
          
          dataView(memory1).setUint32(arg1 + 16, len6, true);
          dataView(memory1).setUint32(arg1 + 12, ptr6, true);
        }
        
        break;
      }
      case 'err': {
        const e = variant9.val;
        dataView(memory1).setInt8(arg1 + 0, 1, true);
        var val8 = e;
        let enum8;
        switch (val8) {
          case 'access': {
            enum8 = 0;
            break;
          }
          case 'would-block': {
            enum8 = 1;
            break;
          }
          case 'already': {
            enum8 = 2;
            break;
          }
          case 'bad-descriptor': {
            enum8 = 3;
            break;
          }
          case 'busy': {
            enum8 = 4;
            break;
          }
          case 'deadlock': {
            enum8 = 5;
            break;
          }
          case 'quota': {
            enum8 = 6;
            break;
          }
          case 'exist': {
            enum8 = 7;
            break;
          }
          case 'file-too-large': {
            enum8 = 8;
            break;
          }
          case 'illegal-byte-sequence': {
            enum8 = 9;
            break;
          }
          case 'in-progress': {
            enum8 = 10;
            break;
          }
          case 'interrupted': {
            enum8 = 11;
            break;
          }
          case 'invalid': {
            enum8 = 12;
            break;
          }
          case 'io': {
            enum8 = 13;
            break;
          }
          case 'is-directory': {
            enum8 = 14;
            break;
          }
          case 'loop': {
            enum8 = 15;
            break;
          }
          case 'too-many-links': {
            enum8 = 16;
            break;
          }
          case 'message-size': {
            enum8 = 17;
            break;
          }
          case 'name-too-long': {
            enum8 = 18;
            break;
          }
          case 'no-device': {
            enum8 = 19;
            break;
          }
          case 'no-entry': {
            enum8 = 20;
            break;
          }
          case 'no-lock': {
            enum8 = 21;
            break;
          }
          case 'insufficient-memory': {
            enum8 = 22;
            break;
          }
          case 'insufficient-space': {
            enum8 = 23;
            break;
          }
          case 'not-directory': {
            enum8 = 24;
            break;
          }
          case 'not-empty': {
            enum8 = 25;
            break;
          }
          case 'not-recoverable': {
            enum8 = 26;
            break;
          }
          case 'unsupported': {
            enum8 = 27;
            break;
          }
          case 'no-tty': {
            enum8 = 28;
            break;
          }
          case 'no-such-device': {
            enum8 = 29;
            break;
          }
          case 'overflow': {
            enum8 = 30;
            break;
          }
          case 'not-permitted': {
            enum8 = 31;
            break;
          }
          case 'pipe': {
            enum8 = 32;
            break;
          }
          case 'read-only': {
            enum8 = 33;
            break;
          }
          case 'invalid-seek': {
            enum8 = 34;
            break;
          }
          case 'text-file-busy': {
            enum8 = 35;
            break;
          }
          case 'cross-device': {
            enum8 = 36;
            break;
          }
          default: {
            if ((e) instanceof Error) {
              console.error(e);
            }
            
            throw new TypeError(`"${val8}" is not one of the cases of error-code`);
          }
        }
        dataView(memory1).setInt8(arg1 + 4, enum8, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant9, valueType: typeof variant9});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]directory-entry-stream.read-directory-entry"][Instruction::Return]', {
      funcName: '[method]directory-entry-stream.read-directory-entry',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline49.fnName = 'wasi:filesystem/types@0.2.0#readDirectoryEntry';
  
  const _trampoline50 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable27[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable14.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Descriptor.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    var ptr3 = arg1;
    var len3 = arg2;
    var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory1.buffer, ptr3, len3));
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.unlink-file-at"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'unlinkFileAt',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      3,
      _getGlobalCurrentTaskMeta(3)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.unlinkFileAt(result3)),
      })
      ;
      ret = hostRet4 !== null && typeof hostRet4 === 'object' && (hostRet4.tag === 'ok' || hostRet4.tag === 'err')
      ? hostRet4
      : { tag: 'ok', val: hostRet4};
    } catch (e) {
      if (getOrCreateAsyncState(3).markTrapped(e)) { throw e; }
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
        dataView(memory1).setInt8(arg3 + 0, 0, true);
        
        break;
      }
      case 'err': {
        const e = variant6.val;
        dataView(memory1).setInt8(arg3 + 0, 1, true);
        var val5 = e;
        let enum5;
        switch (val5) {
          case 'access': {
            enum5 = 0;
            break;
          }
          case 'would-block': {
            enum5 = 1;
            break;
          }
          case 'already': {
            enum5 = 2;
            break;
          }
          case 'bad-descriptor': {
            enum5 = 3;
            break;
          }
          case 'busy': {
            enum5 = 4;
            break;
          }
          case 'deadlock': {
            enum5 = 5;
            break;
          }
          case 'quota': {
            enum5 = 6;
            break;
          }
          case 'exist': {
            enum5 = 7;
            break;
          }
          case 'file-too-large': {
            enum5 = 8;
            break;
          }
          case 'illegal-byte-sequence': {
            enum5 = 9;
            break;
          }
          case 'in-progress': {
            enum5 = 10;
            break;
          }
          case 'interrupted': {
            enum5 = 11;
            break;
          }
          case 'invalid': {
            enum5 = 12;
            break;
          }
          case 'io': {
            enum5 = 13;
            break;
          }
          case 'is-directory': {
            enum5 = 14;
            break;
          }
          case 'loop': {
            enum5 = 15;
            break;
          }
          case 'too-many-links': {
            enum5 = 16;
            break;
          }
          case 'message-size': {
            enum5 = 17;
            break;
          }
          case 'name-too-long': {
            enum5 = 18;
            break;
          }
          case 'no-device': {
            enum5 = 19;
            break;
          }
          case 'no-entry': {
            enum5 = 20;
            break;
          }
          case 'no-lock': {
            enum5 = 21;
            break;
          }
          case 'insufficient-memory': {
            enum5 = 22;
            break;
          }
          case 'insufficient-space': {
            enum5 = 23;
            break;
          }
          case 'not-directory': {
            enum5 = 24;
            break;
          }
          case 'not-empty': {
            enum5 = 25;
            break;
          }
          case 'not-recoverable': {
            enum5 = 26;
            break;
          }
          case 'unsupported': {
            enum5 = 27;
            break;
          }
          case 'no-tty': {
            enum5 = 28;
            break;
          }
          case 'no-such-device': {
            enum5 = 29;
            break;
          }
          case 'overflow': {
            enum5 = 30;
            break;
          }
          case 'not-permitted': {
            enum5 = 31;
            break;
          }
          case 'pipe': {
            enum5 = 32;
            break;
          }
          case 'read-only': {
            enum5 = 33;
            break;
          }
          case 'invalid-seek': {
            enum5 = 34;
            break;
          }
          case 'text-file-busy': {
            enum5 = 35;
            break;
          }
          case 'cross-device': {
            enum5 = 36;
            break;
          }
          default: {
            if ((e) instanceof Error) {
              console.error(e);
            }
            
            throw new TypeError(`"${val5}" is not one of the cases of error-code`);
          }
        }
        dataView(memory1).setInt8(arg3 + 1, enum5, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant6, valueType: typeof variant6});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.unlink-file-at"][Instruction::Return]', {
      funcName: '[method]descriptor.unlink-file-at',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline50.fnName = 'wasi:filesystem/types@0.2.0#unlinkFileAt';
  
  const _trampoline51 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable27[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable14.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Descriptor.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.sync"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'sync',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      3,
      _getGlobalCurrentTaskMeta(3)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.sync()),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(3).markTrapped(e)) { throw e; }
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
        dataView(memory1).setInt8(arg1 + 0, 0, true);
        
        break;
      }
      case 'err': {
        const e = variant5.val;
        dataView(memory1).setInt8(arg1 + 0, 1, true);
        var val4 = e;
        let enum4;
        switch (val4) {
          case 'access': {
            enum4 = 0;
            break;
          }
          case 'would-block': {
            enum4 = 1;
            break;
          }
          case 'already': {
            enum4 = 2;
            break;
          }
          case 'bad-descriptor': {
            enum4 = 3;
            break;
          }
          case 'busy': {
            enum4 = 4;
            break;
          }
          case 'deadlock': {
            enum4 = 5;
            break;
          }
          case 'quota': {
            enum4 = 6;
            break;
          }
          case 'exist': {
            enum4 = 7;
            break;
          }
          case 'file-too-large': {
            enum4 = 8;
            break;
          }
          case 'illegal-byte-sequence': {
            enum4 = 9;
            break;
          }
          case 'in-progress': {
            enum4 = 10;
            break;
          }
          case 'interrupted': {
            enum4 = 11;
            break;
          }
          case 'invalid': {
            enum4 = 12;
            break;
          }
          case 'io': {
            enum4 = 13;
            break;
          }
          case 'is-directory': {
            enum4 = 14;
            break;
          }
          case 'loop': {
            enum4 = 15;
            break;
          }
          case 'too-many-links': {
            enum4 = 16;
            break;
          }
          case 'message-size': {
            enum4 = 17;
            break;
          }
          case 'name-too-long': {
            enum4 = 18;
            break;
          }
          case 'no-device': {
            enum4 = 19;
            break;
          }
          case 'no-entry': {
            enum4 = 20;
            break;
          }
          case 'no-lock': {
            enum4 = 21;
            break;
          }
          case 'insufficient-memory': {
            enum4 = 22;
            break;
          }
          case 'insufficient-space': {
            enum4 = 23;
            break;
          }
          case 'not-directory': {
            enum4 = 24;
            break;
          }
          case 'not-empty': {
            enum4 = 25;
            break;
          }
          case 'not-recoverable': {
            enum4 = 26;
            break;
          }
          case 'unsupported': {
            enum4 = 27;
            break;
          }
          case 'no-tty': {
            enum4 = 28;
            break;
          }
          case 'no-such-device': {
            enum4 = 29;
            break;
          }
          case 'overflow': {
            enum4 = 30;
            break;
          }
          case 'not-permitted': {
            enum4 = 31;
            break;
          }
          case 'pipe': {
            enum4 = 32;
            break;
          }
          case 'read-only': {
            enum4 = 33;
            break;
          }
          case 'invalid-seek': {
            enum4 = 34;
            break;
          }
          case 'text-file-busy': {
            enum4 = 35;
            break;
          }
          case 'cross-device': {
            enum4 = 36;
            break;
          }
          default: {
            if ((e) instanceof Error) {
              console.error(e);
            }
            
            throw new TypeError(`"${val4}" is not one of the cases of error-code`);
          }
        }
        dataView(memory1).setInt8(arg1 + 1, enum4, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant5, valueType: typeof variant5});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.sync"][Instruction::Return]', {
      funcName: '[method]descriptor.sync',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline51.fnName = 'wasi:filesystem/types@0.2.0#sync';
  
  const _trampoline52 = function(arg0, arg1, arg2, arg3, arg4, arg5, arg6) {
    var handle1 = arg0;
    
    var rep2 = handleTable27[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable14.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Descriptor.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    if ((arg1 & 4294967294) !== 0) {
      throw new TypeError('flags have extraneous bits set');
    }
    var flags3 = {
      symlinkFollow: Boolean(arg1 & 1),
    };
    var ptr4 = arg2;
    var len4 = arg3;
    var result4 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory1.buffer, ptr4, len4));
    if ((arg4 & 4294967280) !== 0) {
      throw new TypeError('flags have extraneous bits set');
    }
    var flags5 = {
      create: Boolean(arg4 & 1),
      directory: Boolean(arg4 & 2),
      exclusive: Boolean(arg4 & 4),
      truncate: Boolean(arg4 & 8),
    };
    if ((arg5 & 4294967232) !== 0) {
      throw new TypeError('flags have extraneous bits set');
    }
    var flags6 = {
      read: Boolean(arg5 & 1),
      write: Boolean(arg5 & 2),
      fileIntegritySync: Boolean(arg5 & 4),
      dataIntegritySync: Boolean(arg5 & 8),
      requestedWriteSync: Boolean(arg5 & 16),
      mutateDirectory: Boolean(arg5 & 32),
    };
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.open-at"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'openAt',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      3,
      _getGlobalCurrentTaskMeta(3)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.openAt(flags3, result4, flags5, flags6)),
      })
      ;
      ret = hostRet7 !== null && typeof hostRet7 === 'object' && (hostRet7.tag === 'ok' || hostRet7.tag === 'err')
      ? hostRet7
      : { tag: 'ok', val: hostRet7};
    } catch (e) {
      if (getOrCreateAsyncState(3).markTrapped(e)) { throw e; }
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
    var variant10 = ret;
    switch (variant10.tag) {
      case 'ok': {
        const e = variant10.val;
        dataView(memory1).setInt8(arg6 + 0, 0, true);
        
        if (!(e instanceof Descriptor)) {
          throw new TypeError('Resource error: Not a valid \"Descriptor\" resource.');
        }
        var handle8 = e[symbolRscHandle];
        if (!handle8) {
          const rep = e[symbolRscRep] || ++captureCnt14;
          captureTable14.set(rep, e);
          handle8 = rscTableCreateOwn(handleTable27, rep);
        }
        
        dataView(memory1).setInt32(arg6 + 4, handle8, true);
        
        break;
      }
      case 'err': {
        const e = variant10.val;
        dataView(memory1).setInt8(arg6 + 0, 1, true);
        var val9 = e;
        let enum9;
        switch (val9) {
          case 'access': {
            enum9 = 0;
            break;
          }
          case 'would-block': {
            enum9 = 1;
            break;
          }
          case 'already': {
            enum9 = 2;
            break;
          }
          case 'bad-descriptor': {
            enum9 = 3;
            break;
          }
          case 'busy': {
            enum9 = 4;
            break;
          }
          case 'deadlock': {
            enum9 = 5;
            break;
          }
          case 'quota': {
            enum9 = 6;
            break;
          }
          case 'exist': {
            enum9 = 7;
            break;
          }
          case 'file-too-large': {
            enum9 = 8;
            break;
          }
          case 'illegal-byte-sequence': {
            enum9 = 9;
            break;
          }
          case 'in-progress': {
            enum9 = 10;
            break;
          }
          case 'interrupted': {
            enum9 = 11;
            break;
          }
          case 'invalid': {
            enum9 = 12;
            break;
          }
          case 'io': {
            enum9 = 13;
            break;
          }
          case 'is-directory': {
            enum9 = 14;
            break;
          }
          case 'loop': {
            enum9 = 15;
            break;
          }
          case 'too-many-links': {
            enum9 = 16;
            break;
          }
          case 'message-size': {
            enum9 = 17;
            break;
          }
          case 'name-too-long': {
            enum9 = 18;
            break;
          }
          case 'no-device': {
            enum9 = 19;
            break;
          }
          case 'no-entry': {
            enum9 = 20;
            break;
          }
          case 'no-lock': {
            enum9 = 21;
            break;
          }
          case 'insufficient-memory': {
            enum9 = 22;
            break;
          }
          case 'insufficient-space': {
            enum9 = 23;
            break;
          }
          case 'not-directory': {
            enum9 = 24;
            break;
          }
          case 'not-empty': {
            enum9 = 25;
            break;
          }
          case 'not-recoverable': {
            enum9 = 26;
            break;
          }
          case 'unsupported': {
            enum9 = 27;
            break;
          }
          case 'no-tty': {
            enum9 = 28;
            break;
          }
          case 'no-such-device': {
            enum9 = 29;
            break;
          }
          case 'overflow': {
            enum9 = 30;
            break;
          }
          case 'not-permitted': {
            enum9 = 31;
            break;
          }
          case 'pipe': {
            enum9 = 32;
            break;
          }
          case 'read-only': {
            enum9 = 33;
            break;
          }
          case 'invalid-seek': {
            enum9 = 34;
            break;
          }
          case 'text-file-busy': {
            enum9 = 35;
            break;
          }
          case 'cross-device': {
            enum9 = 36;
            break;
          }
          default: {
            if ((e) instanceof Error) {
              console.error(e);
            }
            
            throw new TypeError(`"${val9}" is not one of the cases of error-code`);
          }
        }
        dataView(memory1).setInt8(arg6 + 4, enum9, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant10, valueType: typeof variant10});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:filesystem/types@0.2.0", function="[method]descriptor.open-at"][Instruction::Return]', {
      funcName: '[method]descriptor.open-at',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline52.fnName = 'wasi:filesystem/types@0.2.0#openAt';
  
  const _trampoline53 = function(arg0) {
    _debugLog('[iface="wasi:filesystem/preopens@0.2.0", function="get-directories"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'getDirectories',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      3,
      _getGlobalCurrentTaskMeta(3)?.taskID,
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
        fn: () => _trackHostOperation(() => getDirectories()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(3).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    var vec3 = ret;
    var len3 = vec3.length;
    var result3 = realloc1(0, 0, 4, len3 * 12);
    for (let i = 0; i < vec3.length; i++) {
      const e = vec3[i];
      const base = result3 + i * 12;var [tuple0_0, tuple0_1] = e;
      
      if (!(tuple0_0 instanceof Descriptor)) {
        throw new TypeError('Resource error: Not a valid \"Descriptor\" resource.');
      }
      var handle1 = tuple0_0[symbolRscHandle];
      if (!handle1) {
        const rep = tuple0_0[symbolRscRep] || ++captureCnt14;
        captureTable14.set(rep, tuple0_0);
        handle1 = rscTableCreateOwn(handleTable27, rep);
      }
      
      dataView(memory1).setInt32(base + 0, handle1, true);
      
      var encodeRes = _utf8AllocateAndEncode(tuple0_1, realloc1, memory1);
      var ptr2= encodeRes.ptr;
      var len2 = encodeRes.len;
      
      dataView(memory1).setUint32(base + 8, len2, true);
      dataView(memory1).setUint32(base + 4, ptr2, true);
    }
    dataView(memory1).setUint32(arg0 + 4, len3, true);
    dataView(memory1).setUint32(arg0 + 0, result3, true);
    _debugLog('[iface="wasi:filesystem/preopens@0.2.0", function="get-directories"][Instruction::Return]', {
      funcName: 'get-directories',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline53.fnName = 'wasi:filesystem/preopens@0.2.0#getDirectories';
  let exports5;
  let exports6;
  
  const handleTable29 = [T_FLAG, 0];
  handleTable29._createdReps = new Set();
  handleTable29._componentIdx = 5;
  
  HANDLE_TABLES[29] = handleTable29;
  
  const _trampoline54 = function() {
    _debugLog('[iface="wasi:cli/stderr@0.2.0", function="get-stderr"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'getStderr',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
        fn: () => _trackHostOperation(() => getStderr()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(5).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    
    if (!(ret instanceof OutputStream)) {
      throw new TypeError('Resource error: Not a valid \"OutputStream\" resource.');
    }
    var handle0 = ret[symbolRscHandle];
    if (!handle0) {
      const rep = ret[symbolRscRep] || ++captureCnt2;
      captureTable2.set(rep, ret);
      handle0 = rscTableCreateOwn(handleTable29, rep);
    }
    
    _debugLog('[iface="wasi:cli/stderr@0.2.0", function="get-stderr"][Instruction::Return]', {
      funcName: 'get-stderr',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([handle0]);
    task.exit();
    return handle0;
  }
  _trampoline54.fnName = 'wasi:cli/stderr@0.2.0#getStderr';
  
  const handleTable30 = [T_FLAG, 0];
  handleTable30._createdReps = new Set();
  handleTable30._componentIdx = 5;
  
  
  const captureTable4= new Map();
  let captureCnt4= 0;
  
  HANDLE_TABLES[30] = handleTable30;
  
  const handleTable31 = [T_FLAG, 0];
  handleTable31._createdReps = new Set();
  handleTable31._componentIdx = 5;
  
  HANDLE_TABLES[31] = handleTable31;
  
  const _trampoline55 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable30[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable4.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(IncomingRequest.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-request.headers"] [Instruction::CallInterface] (sync, @ enter)');
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      getOrCreateAsyncState(5).markTrapped(err);
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
      const rep = ret[symbolRscRep] || ++captureCnt5;
      captureTable5.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable31, rep);
    }
    
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-request.headers"][Instruction::Return]', {
      funcName: '[method]incoming-request.headers',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([handle3]);
    task.exit();
    return handle3;
  }
  _trampoline55.fnName = 'wasi:http/types@0.2.0#headers';
  
  const _trampoline56 = function() {
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      getOrCreateAsyncState(5).markTrapped(err);
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
  _trampoline56.fnName = 'wasi:clocks/monotonic-clock@0.2.0#now';
  
  const handleTable37 = [T_FLAG, 0];
  handleTable37._createdReps = new Set();
  handleTable37._componentIdx = 5;
  
  HANDLE_TABLES[37] = handleTable37;
  
  const _trampoline57 = function(arg0) {
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      getOrCreateAsyncState(5).markTrapped(err);
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
      const rep = ret[symbolRscRep] || ++captureCnt1;
      captureTable1.set(rep, ret);
      handle0 = rscTableCreateOwn(handleTable37, rep);
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
  _trampoline57.fnName = 'wasi:clocks/monotonic-clock@0.2.0#subscribeInstant';
  
  const handleTable36 = [T_FLAG, 0];
  handleTable36._createdReps = new Set();
  handleTable36._componentIdx = 5;
  
  HANDLE_TABLES[36] = handleTable36;
  
  const _trampoline58 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable36[(handle1 << 1) + 1] & ~T_FLAG;
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      getOrCreateAsyncState(5).markTrapped(err);
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
      const rep = ret[symbolRscRep] || ++captureCnt1;
      captureTable1.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable37, rep);
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
  _trampoline58.fnName = 'wasi:io/streams@0.2.0#subscribe';
  
  const _trampoline63 = function() {
    _debugLog('[iface="wasi:http/types@0.2.0", function="[constructor]fields"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'new Fields',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
        fn: () => _trackHostOperation(() => new Fields()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(5).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    
    if (!(ret instanceof Fields)) {
      throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
    }
    var handle0 = ret[symbolRscHandle];
    if (!handle0) {
      const rep = ret[symbolRscRep] || ++captureCnt5;
      captureTable5.set(rep, ret);
      handle0 = rscTableCreateOwn(handleTable31, rep);
    }
    
    _debugLog('[iface="wasi:http/types@0.2.0", function="[constructor]fields"][Instruction::Return]', {
      funcName: '[constructor]fields',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([handle0]);
    task.exit();
    return handle0;
  }
  _trampoline63.fnName = 'wasi:http/types@0.2.0#new Fields';
  
  const handleTable33 = [T_FLAG, 0];
  handleTable33._createdReps = new Set();
  handleTable33._componentIdx = 5;
  
  
  const captureTable7= new Map();
  let captureCnt7= 0;
  
  HANDLE_TABLES[33] = handleTable33;
  
  const _trampoline64 = function(arg0) {
    var handle1 = arg0;
    
    var rep2 = handleTable31[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable5.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Fields.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    else {
      captureTable5.delete(rep2);
    }
    rscTableRemove(handleTable31, handle1);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[constructor]outgoing-response"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'new OutgoingResponse',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
        fn: () => _trackHostOperation(() => new OutgoingResponse(rsc0)),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(5).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    
    if (!(ret instanceof OutgoingResponse)) {
      throw new TypeError('Resource error: Not a valid \"OutgoingResponse\" resource.');
    }
    var handle3 = ret[symbolRscHandle];
    if (!handle3) {
      const rep = ret[symbolRscRep] || ++captureCnt7;
      captureTable7.set(rep, ret);
      handle3 = rscTableCreateOwn(handleTable33, rep);
    }
    
    _debugLog('[iface="wasi:http/types@0.2.0", function="[constructor]outgoing-response"][Instruction::Return]', {
      funcName: '[constructor]outgoing-response',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([handle3]);
    task.exit();
    return handle3;
  }
  _trampoline64.fnName = 'wasi:http/types@0.2.0#new OutgoingResponse';
  
  const _trampoline65 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable33[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable7.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingResponse.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-response.set-status-code"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'setStatusCode',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.setStatusCode(clampGuest(arg1, 0, 65535))),
      })
      ;
      ret = hostRet3 !== null && typeof hostRet3 === 'object' && (hostRet3.tag === 'ok' || hostRet3.tag === 'err')
      ? hostRet3
      : { tag: 'ok', val: hostRet3};
    } catch (e) {
      if (getOrCreateAsyncState(5).markTrapped(e)) { throw e; }
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
    var variant4 = ret;
    let variant4_0;
    switch (variant4.tag) {
      case 'ok': {
        const e = variant4.val;
        variant4_0 = 0;
        
        break;
      }
      case 'err': {
        const e = variant4.val;
        variant4_0 = 1;
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant4, valueType: typeof variant4});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-response.set-status-code"][Instruction::Return]', {
      funcName: '[method]outgoing-response.set-status-code',
      paramCount: 1,
      async: false,
      postReturn: false
    });
    task.resolve([variant4_0]);
    task.exit();
    return variant4_0;
  }
  _trampoline65.fnName = 'wasi:http/types@0.2.0#setStatusCode';
  let exports7;
  let memory2;
  let realloc2;
  let realloc2Async;
  
  const _trampoline72 = function(arg0) {
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      getOrCreateAsyncState(5).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    var vec3 = ret;
    var len3 = vec3.length;
    var result3 = realloc2(0, 0, 4, len3 * 16);
    for (let i = 0; i < vec3.length; i++) {
      const e = vec3[i];
      const base = result3 + i * 16;var [tuple0_0, tuple0_1] = e;
      
      var encodeRes = _utf8AllocateAndEncode(tuple0_0, realloc2, memory2);
      var ptr1= encodeRes.ptr;
      var len1 = encodeRes.len;
      
      dataView(memory2).setUint32(base + 4, len1, true);
      dataView(memory2).setUint32(base + 0, ptr1, true);
      
      var encodeRes = _utf8AllocateAndEncode(tuple0_1, realloc2, memory2);
      var ptr2= encodeRes.ptr;
      var len2 = encodeRes.len;
      
      dataView(memory2).setUint32(base + 12, len2, true);
      dataView(memory2).setUint32(base + 8, ptr2, true);
    }
    dataView(memory2).setUint32(arg0 + 4, len3, true);
    dataView(memory2).setUint32(arg0 + 0, result3, true);
    _debugLog('[iface="wasi:cli/environment@0.2.0", function="get-environment"][Instruction::Return]', {
      funcName: 'get-environment',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline72.fnName = 'wasi:cli/environment@0.2.0#getEnvironment';
  
  const _trampoline73 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable30[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable4.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(IncomingRequest.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-request.method"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'method',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.method()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(5).markTrapped(err);
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
    var variant4 = ret;
    switch (variant4.tag) {
      case 'get': {
        dataView(memory2).setInt8(arg1 + 0, 0, true);
        break;
      }
      case 'head': {
        dataView(memory2).setInt8(arg1 + 0, 1, true);
        break;
      }
      case 'post': {
        dataView(memory2).setInt8(arg1 + 0, 2, true);
        break;
      }
      case 'put': {
        dataView(memory2).setInt8(arg1 + 0, 3, true);
        break;
      }
      case 'delete': {
        dataView(memory2).setInt8(arg1 + 0, 4, true);
        break;
      }
      case 'connect': {
        dataView(memory2).setInt8(arg1 + 0, 5, true);
        break;
      }
      case 'options': {
        dataView(memory2).setInt8(arg1 + 0, 6, true);
        break;
      }
      case 'trace': {
        dataView(memory2).setInt8(arg1 + 0, 7, true);
        break;
      }
      case 'patch': {
        dataView(memory2).setInt8(arg1 + 0, 8, true);
        break;
      }
      case 'other': {
        const e = variant4.val;
        dataView(memory2).setInt8(arg1 + 0, 9, true);
        
        var encodeRes = _utf8AllocateAndEncode(e, realloc2, memory2);
        var ptr3= encodeRes.ptr;
        var len3 = encodeRes.len;
        
        dataView(memory2).setUint32(arg1 + 8, len3, true);
        dataView(memory2).setUint32(arg1 + 4, ptr3, true);
        break;
      }
      default: {
        throw new TypeError(`invalid variant tag value \`${JSON.stringify(variant4.tag)}\` (received \`${variant4}\`) specified for \`Method\``);
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-request.method"][Instruction::Return]', {
      funcName: '[method]incoming-request.method',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline73.fnName = 'wasi:http/types@0.2.0#method';
  
  const _trampoline74 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable30[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable4.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(IncomingRequest.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-request.path-with-query"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'pathWithQuery',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.pathWithQuery()),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(5).markTrapped(err);
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
    var variant4 = ret;
    if (variant4 === null || variant4=== undefined) {
      dataView(memory2).setInt8(arg1 + 0, 0, true);
    } else {
      const e = variant4;
      dataView(memory2).setInt8(arg1 + 0, 1, true);
      
      var encodeRes = _utf8AllocateAndEncode(e, realloc2, memory2);
      var ptr3= encodeRes.ptr;
      var len3 = encodeRes.len;
      
      dataView(memory2).setUint32(arg1 + 8, len3, true);
      dataView(memory2).setUint32(arg1 + 4, ptr3, true);
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-request.path-with-query"][Instruction::Return]', {
      funcName: '[method]incoming-request.path-with-query',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline74.fnName = 'wasi:http/types@0.2.0#pathWithQuery';
  
  const handleTable32 = [T_FLAG, 0];
  handleTable32._createdReps = new Set();
  handleTable32._componentIdx = 5;
  
  HANDLE_TABLES[32] = handleTable32;
  
  const _trampoline75 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable30[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable4.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(IncomingRequest.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-request.consume"] [Instruction::CallInterface] (sync, @ enter)');
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      if (getOrCreateAsyncState(5).markTrapped(e)) { throw e; }
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
        dataView(memory2).setInt8(arg1 + 0, 0, true);
        
        if (!(e instanceof IncomingBody)) {
          throw new TypeError('Resource error: Not a valid \"IncomingBody\" resource.');
        }
        var handle4 = e[symbolRscHandle];
        if (!handle4) {
          const rep = e[symbolRscRep] || ++captureCnt6;
          captureTable6.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable32, rep);
        }
        
        dataView(memory2).setInt32(arg1 + 4, handle4, true);
        
        break;
      }
      case 'err': {
        const e = variant5.val;
        dataView(memory2).setInt8(arg1 + 0, 1, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant5, valueType: typeof variant5});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]incoming-request.consume"][Instruction::Return]', {
      funcName: '[method]incoming-request.consume',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline75.fnName = 'wasi:http/types@0.2.0#consume';
  
  const _trampoline76 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable32[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable6.get(rep2);
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      if (getOrCreateAsyncState(5).markTrapped(e)) { throw e; }
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
        dataView(memory2).setInt8(arg1 + 0, 0, true);
        
        if (!(e instanceof InputStream)) {
          throw new TypeError('Resource error: Not a valid \"InputStream\" resource.');
        }
        var handle4 = e[symbolRscHandle];
        if (!handle4) {
          const rep = e[symbolRscRep] || ++captureCnt3;
          captureTable3.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable36, rep);
        }
        
        dataView(memory2).setInt32(arg1 + 4, handle4, true);
        
        break;
      }
      case 'err': {
        const e = variant5.val;
        dataView(memory2).setInt8(arg1 + 0, 1, true);
        
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
  _trampoline76.fnName = 'wasi:http/types@0.2.0#stream';
  
  const _trampoline77 = function(arg0, arg1, arg2) {
    var len2 = arg1;
    var base2 = arg0;
    if (base2 % 4 !== 0) throw new TypeError(`list pointer [${base2}] is not aligned to 4`);
    var result2 = [];
    for (let i = 0; i < len2; i++) {
      const base = base2 + i * 16;
      var ptr0 = dataView(memory2).getUint32(base + 0, true);
      var len0 = dataView(memory2).getUint32(base + 4, true);
      var result0 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory2.buffer, ptr0, len0));
      var ptr1 = dataView(memory2).getUint32(base + 8, true);
      var len1 = dataView(memory2).getUint32(base + 12, true);
      if (ptr1 % 1 !== 0) throw new TypeError(`list pointer [${ptr1}] is not aligned to 1`);
      var result1 = new Uint8Array(memory2.buffer.slice(ptr1, ptr1 + len1 * 1));
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      if (getOrCreateAsyncState(5).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    var variant6 = ret;
    switch (variant6.tag) {
      case 'ok': {
        const e = variant6.val;
        dataView(memory2).setInt8(arg2 + 0, 0, true);
        
        if (!(e instanceof Fields)) {
          throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
        }
        var handle4 = e[symbolRscHandle];
        if (!handle4) {
          const rep = e[symbolRscRep] || ++captureCnt5;
          captureTable5.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable31, rep);
        }
        
        dataView(memory2).setInt32(arg2 + 4, handle4, true);
        
        break;
      }
      case 'err': {
        const e = variant6.val;
        dataView(memory2).setInt8(arg2 + 0, 1, true);
        var variant5 = e;
        switch (variant5.tag) {
          case 'invalid-syntax': {
            dataView(memory2).setInt8(arg2 + 4, 0, true);
            break;
          }
          case 'forbidden': {
            dataView(memory2).setInt8(arg2 + 4, 1, true);
            break;
          }
          case 'immutable': {
            dataView(memory2).setInt8(arg2 + 4, 2, true);
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
  _trampoline77.fnName = 'wasi:http/types@0.2.0#Fields.fromList';
  
  const handleTable35 = [T_FLAG, 0];
  handleTable35._createdReps = new Set();
  handleTable35._componentIdx = 5;
  
  HANDLE_TABLES[35] = handleTable35;
  
  const _trampoline78 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable33[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable7.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingResponse.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-response.body"] [Instruction::CallInterface] (sync, @ enter)');
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      if (getOrCreateAsyncState(5).markTrapped(e)) { throw e; }
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
        dataView(memory2).setInt8(arg1 + 0, 0, true);
        
        if (!(e instanceof OutgoingBody)) {
          throw new TypeError('Resource error: Not a valid \"OutgoingBody\" resource.');
        }
        var handle4 = e[symbolRscHandle];
        if (!handle4) {
          const rep = e[symbolRscRep] || ++captureCnt8;
          captureTable8.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable35, rep);
        }
        
        dataView(memory2).setInt32(arg1 + 4, handle4, true);
        
        break;
      }
      case 'err': {
        const e = variant5.val;
        dataView(memory2).setInt8(arg1 + 0, 1, true);
        
        break;
      }
      default: {
        _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant5, valueType: typeof variant5});
        throw new TypeError('invalid variant specified for result');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]outgoing-response.body"][Instruction::Return]', {
      funcName: '[method]outgoing-response.body',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline78.fnName = 'wasi:http/types@0.2.0#body';
  
  const handleTable34 = [T_FLAG, 0];
  handleTable34._createdReps = new Set();
  handleTable34._componentIdx = 5;
  
  
  const captureTable9= new Map();
  let captureCnt9= 0;
  
  HANDLE_TABLES[34] = handleTable34;
  
  const _trampoline79 = function(arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8) {
    var handle1 = arg0;
    
    var rep2 = handleTable34[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable9.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(ResponseOutparam.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    else {
      captureTable9.delete(rep2);
    }
    rscTableRemove(handleTable34, handle1);
    let variant38;
    switch (arg1) {
      case 0: {
        var handle4 = arg2;
        
        var rep5 = handleTable33[(handle4 << 1) + 1] & ~T_FLAG;
        var rsc3 = captureTable7.get(rep5);
        if (!rsc3) {
          rsc3 = Object.create(OutgoingResponse.prototype);
          Object.defineProperty(rsc3, symbolRscHandle, { writable: true, value: handle4});
          Object.defineProperty(rsc3, symbolRscRep, { writable: true, value: rep5});
        }
        
        else {
          captureTable7.delete(rep5);
        }
        rscTableRemove(handleTable33, handle4);
        variant38= {
          tag: 'ok',
          val: rsc3
        };
        break;
      }
      case 1: {
        let variant37;
        switch (arg2) {
          case 0: {
            variant37= {
              tag: 'DNS-timeout',
            };
            break;
          }
          case 1: {
            let variant7;
            switch (arg3) {
              case 0: {
                variant7 = undefined;
                break;
              }
              case 1: {
                var ptr6 = Number(arg4);
                var len6 = arg5;
                var result6 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory2.buffer, ptr6, len6));
                variant7 = result6;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            let variant8;
            switch (arg6) {
              case 0: {
                variant8 = undefined;
                break;
              }
              case 1: {
                variant8 = clampGuest(arg7, 0, 65535);
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'DNS-error',
              val: {
                rcode: variant7,
                infoCode: variant8,
              }
            };
            break;
          }
          case 2: {
            variant37= {
              tag: 'destination-not-found',
            };
            break;
          }
          case 3: {
            variant37= {
              tag: 'destination-unavailable',
            };
            break;
          }
          case 4: {
            variant37= {
              tag: 'destination-IP-prohibited',
            };
            break;
          }
          case 5: {
            variant37= {
              tag: 'destination-IP-unroutable',
            };
            break;
          }
          case 6: {
            variant37= {
              tag: 'connection-refused',
            };
            break;
          }
          case 7: {
            variant37= {
              tag: 'connection-terminated',
            };
            break;
          }
          case 8: {
            variant37= {
              tag: 'connection-timeout',
            };
            break;
          }
          case 9: {
            variant37= {
              tag: 'connection-read-timeout',
            };
            break;
          }
          case 10: {
            variant37= {
              tag: 'connection-write-timeout',
            };
            break;
          }
          case 11: {
            variant37= {
              tag: 'connection-limit-reached',
            };
            break;
          }
          case 12: {
            variant37= {
              tag: 'TLS-protocol-error',
            };
            break;
          }
          case 13: {
            variant37= {
              tag: 'TLS-certificate-error',
            };
            break;
          }
          case 14: {
            let variant9;
            switch (arg3) {
              case 0: {
                variant9 = undefined;
                break;
              }
              case 1: {
                variant9 = clampGuest(Number(arg4), 0, 255);
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            let variant11;
            switch (arg5) {
              case 0: {
                variant11 = undefined;
                break;
              }
              case 1: {
                var ptr10 = arg6;
                var len10 = arg7;
                var result10 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory2.buffer, ptr10, len10));
                variant11 = result10;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'TLS-alert-received',
              val: {
                alertId: variant9,
                alertMessage: variant11,
              }
            };
            break;
          }
          case 15: {
            variant37= {
              tag: 'HTTP-request-denied',
            };
            break;
          }
          case 16: {
            variant37= {
              tag: 'HTTP-request-length-required',
            };
            break;
          }
          case 17: {
            let variant12;
            switch (arg3) {
              case 0: {
                variant12 = undefined;
                break;
              }
              case 1: {
                variant12 = BigInt.asUintN(64, BigInt(arg4));
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'HTTP-request-body-size',
              val: variant12
            };
            break;
          }
          case 18: {
            variant37= {
              tag: 'HTTP-request-method-invalid',
            };
            break;
          }
          case 19: {
            variant37= {
              tag: 'HTTP-request-URI-invalid',
            };
            break;
          }
          case 20: {
            variant37= {
              tag: 'HTTP-request-URI-too-long',
            };
            break;
          }
          case 21: {
            let variant13;
            switch (arg3) {
              case 0: {
                variant13 = undefined;
                break;
              }
              case 1: {
                variant13 = Number(arg4) >>> 0;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'HTTP-request-header-section-size',
              val: variant13
            };
            break;
          }
          case 22: {
            let variant17;
            switch (arg3) {
              case 0: {
                variant17 = undefined;
                break;
              }
              case 1: {
                let variant15;
                switch (Number(arg4)) {
                  case 0: {
                    variant15 = undefined;
                    break;
                  }
                  case 1: {
                    var ptr14 = arg5;
                    var len14 = arg6;
                    var result14 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory2.buffer, ptr14, len14));
                    variant15 = result14;
                    break;
                  }
                  default: {
                    throw new TypeError('invalid variant discriminant for option');
                  }
                }
                let variant16;
                switch (arg7) {
                  case 0: {
                    variant16 = undefined;
                    break;
                  }
                  case 1: {
                    variant16 = arg8 >>> 0;
                    break;
                  }
                  default: {
                    throw new TypeError('invalid variant discriminant for option');
                  }
                }
                variant17 = {
                  fieldName: variant15,
                  fieldSize: variant16,
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'HTTP-request-header-size',
              val: variant17
            };
            break;
          }
          case 23: {
            let variant18;
            switch (arg3) {
              case 0: {
                variant18 = undefined;
                break;
              }
              case 1: {
                variant18 = Number(arg4) >>> 0;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'HTTP-request-trailer-section-size',
              val: variant18
            };
            break;
          }
          case 24: {
            let variant20;
            switch (arg3) {
              case 0: {
                variant20 = undefined;
                break;
              }
              case 1: {
                var ptr19 = Number(arg4);
                var len19 = arg5;
                var result19 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory2.buffer, ptr19, len19));
                variant20 = result19;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            let variant21;
            switch (arg6) {
              case 0: {
                variant21 = undefined;
                break;
              }
              case 1: {
                variant21 = arg7 >>> 0;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'HTTP-request-trailer-size',
              val: {
                fieldName: variant20,
                fieldSize: variant21,
              }
            };
            break;
          }
          case 25: {
            variant37= {
              tag: 'HTTP-response-incomplete',
            };
            break;
          }
          case 26: {
            let variant22;
            switch (arg3) {
              case 0: {
                variant22 = undefined;
                break;
              }
              case 1: {
                variant22 = Number(arg4) >>> 0;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'HTTP-response-header-section-size',
              val: variant22
            };
            break;
          }
          case 27: {
            let variant24;
            switch (arg3) {
              case 0: {
                variant24 = undefined;
                break;
              }
              case 1: {
                var ptr23 = Number(arg4);
                var len23 = arg5;
                var result23 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory2.buffer, ptr23, len23));
                variant24 = result23;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            let variant25;
            switch (arg6) {
              case 0: {
                variant25 = undefined;
                break;
              }
              case 1: {
                variant25 = arg7 >>> 0;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'HTTP-response-header-size',
              val: {
                fieldName: variant24,
                fieldSize: variant25,
              }
            };
            break;
          }
          case 28: {
            let variant26;
            switch (arg3) {
              case 0: {
                variant26 = undefined;
                break;
              }
              case 1: {
                variant26 = BigInt.asUintN(64, BigInt(arg4));
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'HTTP-response-body-size',
              val: variant26
            };
            break;
          }
          case 29: {
            let variant27;
            switch (arg3) {
              case 0: {
                variant27 = undefined;
                break;
              }
              case 1: {
                variant27 = Number(arg4) >>> 0;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'HTTP-response-trailer-section-size',
              val: variant27
            };
            break;
          }
          case 30: {
            let variant29;
            switch (arg3) {
              case 0: {
                variant29 = undefined;
                break;
              }
              case 1: {
                var ptr28 = Number(arg4);
                var len28 = arg5;
                var result28 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory2.buffer, ptr28, len28));
                variant29 = result28;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            let variant30;
            switch (arg6) {
              case 0: {
                variant30 = undefined;
                break;
              }
              case 1: {
                variant30 = arg7 >>> 0;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'HTTP-response-trailer-size',
              val: {
                fieldName: variant29,
                fieldSize: variant30,
              }
            };
            break;
          }
          case 31: {
            let variant32;
            switch (arg3) {
              case 0: {
                variant32 = undefined;
                break;
              }
              case 1: {
                var ptr31 = Number(arg4);
                var len31 = arg5;
                var result31 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory2.buffer, ptr31, len31));
                variant32 = result31;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'HTTP-response-transfer-coding',
              val: variant32
            };
            break;
          }
          case 32: {
            let variant34;
            switch (arg3) {
              case 0: {
                variant34 = undefined;
                break;
              }
              case 1: {
                var ptr33 = Number(arg4);
                var len33 = arg5;
                var result33 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory2.buffer, ptr33, len33));
                variant34 = result33;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'HTTP-response-content-coding',
              val: variant34
            };
            break;
          }
          case 33: {
            variant37= {
              tag: 'HTTP-response-timeout',
            };
            break;
          }
          case 34: {
            variant37= {
              tag: 'HTTP-upgrade-failed',
            };
            break;
          }
          case 35: {
            variant37= {
              tag: 'HTTP-protocol-error',
            };
            break;
          }
          case 36: {
            variant37= {
              tag: 'loop-detected',
            };
            break;
          }
          case 37: {
            variant37= {
              tag: 'configuration-error',
            };
            break;
          }
          case 38: {
            let variant36;
            switch (arg3) {
              case 0: {
                variant36 = undefined;
                break;
              }
              case 1: {
                var ptr35 = Number(arg4);
                var len35 = arg5;
                var result35 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory2.buffer, ptr35, len35));
                variant36 = result35;
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            variant37= {
              tag: 'internal-error',
              val: variant36
            };
            break;
          }
          default: {
            throw new TypeError('invalid variant discriminant for ErrorCode');
          }
        }
        variant38= {
          tag: 'err',
          val: variant37
        };
        break;
      }
      default: {
        throw new TypeError('invalid variant discriminant for expected');
      }
    }
    _debugLog('[iface="wasi:http/types@0.2.0", function="[static]response-outparam.set"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'ResponseOutparam.set',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
        fn: () => _trackHostOperation(() => ResponseOutparam.set(rsc0, variant38)),
      })
      ;
    } catch (err) {
      
      _debugLog('[Instruction::CallInterface] error during sync call', {
        taskID: task.id(),
        subtaskID: task.getParentSubtask()?.id(),
        err,
      });
      getOrCreateAsyncState(5).markTrapped(err);
      task.setErrored(err);
      task.reject(err);
      task.exit();
      throw err;
      
    }
    
    _debugLog('[iface="wasi:http/types@0.2.0", function="[static]response-outparam.set"][Instruction::Return]', {
      funcName: '[static]response-outparam.set',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline79.fnName = 'wasi:http/types@0.2.0#ResponseOutparam.set';
  
  const _trampoline80 = function(arg0, arg1) {
    var handle1 = arg0;
    
    var rep2 = handleTable35[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable8.get(rep2);
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      if (getOrCreateAsyncState(5).markTrapped(e)) { throw e; }
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
        dataView(memory2).setInt8(arg1 + 0, 0, true);
        
        if (!(e instanceof OutputStream)) {
          throw new TypeError('Resource error: Not a valid \"OutputStream\" resource.');
        }
        var handle4 = e[symbolRscHandle];
        if (!handle4) {
          const rep = e[symbolRscRep] || ++captureCnt2;
          captureTable2.set(rep, e);
          handle4 = rscTableCreateOwn(handleTable29, rep);
        }
        
        dataView(memory2).setInt32(arg1 + 4, handle4, true);
        
        break;
      }
      case 'err': {
        const e = variant5.val;
        dataView(memory2).setInt8(arg1 + 0, 1, true);
        
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
  _trampoline80.fnName = 'wasi:http/types@0.2.0#write';
  
  const _trampoline81 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable35[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable8.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(OutgoingBody.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    else {
      captureTable8.delete(rep2);
    }
    rscTableRemove(handleTable35, handle1);
    let variant6;
    switch (arg1) {
      case 0: {
        variant6 = undefined;
        break;
      }
      case 1: {
        var handle4 = arg2;
        
        var rep5 = handleTable31[(handle4 << 1) + 1] & ~T_FLAG;
        var rsc3 = captureTable5.get(rep5);
        if (!rsc3) {
          rsc3 = Object.create(Fields.prototype);
          Object.defineProperty(rsc3, symbolRscHandle, { writable: true, value: handle4});
          Object.defineProperty(rsc3, symbolRscRep, { writable: true, value: rep5});
        }
        
        else {
          captureTable5.delete(rep5);
        }
        rscTableRemove(handleTable31, handle4);
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      if (getOrCreateAsyncState(5).markTrapped(e)) { throw e; }
      ret = { tag: 'err', val: getErrorPayload(e) };
    }
    
    var variant46 = ret;
    switch (variant46.tag) {
      case 'ok': {
        const e = variant46.val;
        dataView(memory2).setInt8(arg3 + 0, 0, true);
        
        break;
      }
      case 'err': {
        const e = variant46.val;
        dataView(memory2).setInt8(arg3 + 0, 1, true);
        var variant45 = e;
        switch (variant45.tag) {
          case 'DNS-timeout': {
            dataView(memory2).setInt8(arg3 + 8, 0, true);
            break;
          }
          case 'DNS-error': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 1, true);
            var {rcode: v8_0, infoCode: v8_1 } = e;
            var variant10 = v8_0;
            if (variant10 === null || variant10=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant10;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc2, memory2);
              var ptr9= encodeRes.ptr;
              var len9 = encodeRes.len;
              
              dataView(memory2).setUint32(arg3 + 24, len9, true);
              dataView(memory2).setUint32(arg3 + 20, ptr9, true);
            }
            var variant11 = v8_1;
            if (variant11 === null || variant11=== undefined) {
              dataView(memory2).setInt8(arg3 + 28, 0, true);
            } else {
              const e = variant11;
              dataView(memory2).setInt8(arg3 + 28, 1, true);
              dataView(memory2).setInt16(arg3 + 30, toUint16(e), true);
            }
            break;
          }
          case 'destination-not-found': {
            dataView(memory2).setInt8(arg3 + 8, 2, true);
            break;
          }
          case 'destination-unavailable': {
            dataView(memory2).setInt8(arg3 + 8, 3, true);
            break;
          }
          case 'destination-IP-prohibited': {
            dataView(memory2).setInt8(arg3 + 8, 4, true);
            break;
          }
          case 'destination-IP-unroutable': {
            dataView(memory2).setInt8(arg3 + 8, 5, true);
            break;
          }
          case 'connection-refused': {
            dataView(memory2).setInt8(arg3 + 8, 6, true);
            break;
          }
          case 'connection-terminated': {
            dataView(memory2).setInt8(arg3 + 8, 7, true);
            break;
          }
          case 'connection-timeout': {
            dataView(memory2).setInt8(arg3 + 8, 8, true);
            break;
          }
          case 'connection-read-timeout': {
            dataView(memory2).setInt8(arg3 + 8, 9, true);
            break;
          }
          case 'connection-write-timeout': {
            dataView(memory2).setInt8(arg3 + 8, 10, true);
            break;
          }
          case 'connection-limit-reached': {
            dataView(memory2).setInt8(arg3 + 8, 11, true);
            break;
          }
          case 'TLS-protocol-error': {
            dataView(memory2).setInt8(arg3 + 8, 12, true);
            break;
          }
          case 'TLS-certificate-error': {
            dataView(memory2).setInt8(arg3 + 8, 13, true);
            break;
          }
          case 'TLS-alert-received': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 14, true);
            var {alertId: v12_0, alertMessage: v12_1 } = e;
            var variant13 = v12_0;
            if (variant13 === null || variant13=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant13;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              dataView(memory2).setInt8(arg3 + 17, toUint8(e), true);
            }
            var variant15 = v12_1;
            if (variant15 === null || variant15=== undefined) {
              dataView(memory2).setInt8(arg3 + 20, 0, true);
            } else {
              const e = variant15;
              dataView(memory2).setInt8(arg3 + 20, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc2, memory2);
              var ptr14= encodeRes.ptr;
              var len14 = encodeRes.len;
              
              dataView(memory2).setUint32(arg3 + 28, len14, true);
              dataView(memory2).setUint32(arg3 + 24, ptr14, true);
            }
            break;
          }
          case 'HTTP-request-denied': {
            dataView(memory2).setInt8(arg3 + 8, 15, true);
            break;
          }
          case 'HTTP-request-length-required': {
            dataView(memory2).setInt8(arg3 + 8, 16, true);
            break;
          }
          case 'HTTP-request-body-size': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 17, true);
            var variant16 = e;
            if (variant16 === null || variant16=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant16;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              dataView(memory2).setBigInt64(arg3 + 24, toUint64(e), true);
            }
            break;
          }
          case 'HTTP-request-method-invalid': {
            dataView(memory2).setInt8(arg3 + 8, 18, true);
            break;
          }
          case 'HTTP-request-URI-invalid': {
            dataView(memory2).setInt8(arg3 + 8, 19, true);
            break;
          }
          case 'HTTP-request-URI-too-long': {
            dataView(memory2).setInt8(arg3 + 8, 20, true);
            break;
          }
          case 'HTTP-request-header-section-size': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 21, true);
            var variant17 = e;
            if (variant17 === null || variant17=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant17;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              dataView(memory2).setInt32(arg3 + 20, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-request-header-size': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 22, true);
            var variant22 = e;
            if (variant22 === null || variant22=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant22;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              var {fieldName: v18_0, fieldSize: v18_1 } = e;
              var variant20 = v18_0;
              if (variant20 === null || variant20=== undefined) {
                dataView(memory2).setInt8(arg3 + 20, 0, true);
              } else {
                const e = variant20;
                dataView(memory2).setInt8(arg3 + 20, 1, true);
                
                var encodeRes = _utf8AllocateAndEncode(e, realloc2, memory2);
                var ptr19= encodeRes.ptr;
                var len19 = encodeRes.len;
                
                dataView(memory2).setUint32(arg3 + 28, len19, true);
                dataView(memory2).setUint32(arg3 + 24, ptr19, true);
              }
              var variant21 = v18_1;
              if (variant21 === null || variant21=== undefined) {
                dataView(memory2).setInt8(arg3 + 32, 0, true);
              } else {
                const e = variant21;
                dataView(memory2).setInt8(arg3 + 32, 1, true);
                dataView(memory2).setInt32(arg3 + 36, toUint32(e), true);
              }
            }
            break;
          }
          case 'HTTP-request-trailer-section-size': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 23, true);
            var variant23 = e;
            if (variant23 === null || variant23=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant23;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              dataView(memory2).setInt32(arg3 + 20, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-request-trailer-size': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 24, true);
            var {fieldName: v24_0, fieldSize: v24_1 } = e;
            var variant26 = v24_0;
            if (variant26 === null || variant26=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant26;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc2, memory2);
              var ptr25= encodeRes.ptr;
              var len25 = encodeRes.len;
              
              dataView(memory2).setUint32(arg3 + 24, len25, true);
              dataView(memory2).setUint32(arg3 + 20, ptr25, true);
            }
            var variant27 = v24_1;
            if (variant27 === null || variant27=== undefined) {
              dataView(memory2).setInt8(arg3 + 28, 0, true);
            } else {
              const e = variant27;
              dataView(memory2).setInt8(arg3 + 28, 1, true);
              dataView(memory2).setInt32(arg3 + 32, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-incomplete': {
            dataView(memory2).setInt8(arg3 + 8, 25, true);
            break;
          }
          case 'HTTP-response-header-section-size': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 26, true);
            var variant28 = e;
            if (variant28 === null || variant28=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant28;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              dataView(memory2).setInt32(arg3 + 20, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-header-size': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 27, true);
            var {fieldName: v29_0, fieldSize: v29_1 } = e;
            var variant31 = v29_0;
            if (variant31 === null || variant31=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant31;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc2, memory2);
              var ptr30= encodeRes.ptr;
              var len30 = encodeRes.len;
              
              dataView(memory2).setUint32(arg3 + 24, len30, true);
              dataView(memory2).setUint32(arg3 + 20, ptr30, true);
            }
            var variant32 = v29_1;
            if (variant32 === null || variant32=== undefined) {
              dataView(memory2).setInt8(arg3 + 28, 0, true);
            } else {
              const e = variant32;
              dataView(memory2).setInt8(arg3 + 28, 1, true);
              dataView(memory2).setInt32(arg3 + 32, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-body-size': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 28, true);
            var variant33 = e;
            if (variant33 === null || variant33=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant33;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              dataView(memory2).setBigInt64(arg3 + 24, toUint64(e), true);
            }
            break;
          }
          case 'HTTP-response-trailer-section-size': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 29, true);
            var variant34 = e;
            if (variant34 === null || variant34=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant34;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              dataView(memory2).setInt32(arg3 + 20, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-trailer-size': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 30, true);
            var {fieldName: v35_0, fieldSize: v35_1 } = e;
            var variant37 = v35_0;
            if (variant37 === null || variant37=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant37;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc2, memory2);
              var ptr36= encodeRes.ptr;
              var len36 = encodeRes.len;
              
              dataView(memory2).setUint32(arg3 + 24, len36, true);
              dataView(memory2).setUint32(arg3 + 20, ptr36, true);
            }
            var variant38 = v35_1;
            if (variant38 === null || variant38=== undefined) {
              dataView(memory2).setInt8(arg3 + 28, 0, true);
            } else {
              const e = variant38;
              dataView(memory2).setInt8(arg3 + 28, 1, true);
              dataView(memory2).setInt32(arg3 + 32, toUint32(e), true);
            }
            break;
          }
          case 'HTTP-response-transfer-coding': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 31, true);
            var variant40 = e;
            if (variant40 === null || variant40=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant40;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc2, memory2);
              var ptr39= encodeRes.ptr;
              var len39 = encodeRes.len;
              
              dataView(memory2).setUint32(arg3 + 24, len39, true);
              dataView(memory2).setUint32(arg3 + 20, ptr39, true);
            }
            break;
          }
          case 'HTTP-response-content-coding': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 32, true);
            var variant42 = e;
            if (variant42 === null || variant42=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant42;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc2, memory2);
              var ptr41= encodeRes.ptr;
              var len41 = encodeRes.len;
              
              dataView(memory2).setUint32(arg3 + 24, len41, true);
              dataView(memory2).setUint32(arg3 + 20, ptr41, true);
            }
            break;
          }
          case 'HTTP-response-timeout': {
            dataView(memory2).setInt8(arg3 + 8, 33, true);
            break;
          }
          case 'HTTP-upgrade-failed': {
            dataView(memory2).setInt8(arg3 + 8, 34, true);
            break;
          }
          case 'HTTP-protocol-error': {
            dataView(memory2).setInt8(arg3 + 8, 35, true);
            break;
          }
          case 'loop-detected': {
            dataView(memory2).setInt8(arg3 + 8, 36, true);
            break;
          }
          case 'configuration-error': {
            dataView(memory2).setInt8(arg3 + 8, 37, true);
            break;
          }
          case 'internal-error': {
            const e = variant45.val;
            dataView(memory2).setInt8(arg3 + 8, 38, true);
            var variant44 = e;
            if (variant44 === null || variant44=== undefined) {
              dataView(memory2).setInt8(arg3 + 16, 0, true);
            } else {
              const e = variant44;
              dataView(memory2).setInt8(arg3 + 16, 1, true);
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc2, memory2);
              var ptr43= encodeRes.ptr;
              var len43 = encodeRes.len;
              
              dataView(memory2).setUint32(arg3 + 24, len43, true);
              dataView(memory2).setUint32(arg3 + 20, ptr43, true);
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
  _trampoline81.fnName = 'wasi:http/types@0.2.0#OutgoingBody.finish';
  
  const _trampoline82 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable31[(handle1 << 1) + 1] & ~T_FLAG;
    var rsc0 = captureTable5.get(rep2);
    if (!rsc0) {
      rsc0 = Object.create(Fields.prototype);
      Object.defineProperty(rsc0, symbolRscHandle, { writable: true, value: handle1});
      Object.defineProperty(rsc0, symbolRscRep, { writable: true, value: rep2});
    }
    
    curResourceBorrows.push(rsc0);
    var ptr3 = arg1;
    var len3 = arg2;
    var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory2.buffer, ptr3, len3));
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      getOrCreateAsyncState(5).markTrapped(err);
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
    var result5 = realloc2(0, 0, 4, len5 * 8);
    for (let i = 0; i < vec5.length; i++) {
      const e = vec5[i];
      const base = result5 + i * 8;var val4 = e;
      var len4 = Array.isArray(val4) ? val4.length : val4.byteLength;
      var ptr4 = realloc2(0, 0, 1, len4 * 1);
      
      let valData4;
      const valLenBytes4 = len4 * 1;
      if (Array.isArray(val4)) {
        // Regular array likely containing numbers, write values to memory
        let offset = 0;
        const dv4 = new DataView(memory2.buffer);
        for (const v of val4) {
          _requireValidNumericPrimitive.bind(null, 'u8')(v);
          dv4.setUint8(ptr4+ offset, v, true);
          offset += 1;
        }
      } else {
        // TypedArray / ArrayBuffer-like, direct copy
        valData4 = new Uint8Array(val4.buffer || val4, val4.byteOffset, valLenBytes4);
        const out4 = new Uint8Array(memory2.buffer, ptr4, valLenBytes4);
        out4.set(valData4);
      }
      
      dataView(memory2).setUint32(base + 4, len4, true);
      dataView(memory2).setUint32(base + 0, ptr4, true);
    }
    dataView(memory2).setUint32(arg3 + 4, len5, true);
    dataView(memory2).setUint32(arg3 + 0, result5, true);
    _debugLog('[iface="wasi:http/types@0.2.0", function="[method]fields.get"][Instruction::Return]', {
      funcName: '[method]fields.get',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline82.fnName = 'wasi:http/types@0.2.0#get';
  
  const handleTable38 = [T_FLAG, 0];
  handleTable38._createdReps = new Set();
  handleTable38._componentIdx = 5;
  
  HANDLE_TABLES[38] = handleTable38;
  
  const _trampoline83 = function(arg0, arg1, arg2) {
    var handle1 = arg0;
    
    var rep2 = handleTable36[(handle1 << 1) + 1] & ~T_FLAG;
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      if (getOrCreateAsyncState(5).markTrapped(e)) { throw e; }
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
        dataView(memory2).setInt8(arg2 + 0, 0, true);
        var val4 = e;
        var len4 = Array.isArray(val4) ? val4.length : val4.byteLength;
        var ptr4 = realloc2(0, 0, 1, len4 * 1);
        
        let valData4;
        const valLenBytes4 = len4 * 1;
        if (Array.isArray(val4)) {
          // Regular array likely containing numbers, write values to memory
          let offset = 0;
          const dv4 = new DataView(memory2.buffer);
          for (const v of val4) {
            _requireValidNumericPrimitive.bind(null, 'u8')(v);
            dv4.setUint8(ptr4+ offset, v, true);
            offset += 1;
          }
        } else {
          // TypedArray / ArrayBuffer-like, direct copy
          valData4 = new Uint8Array(val4.buffer || val4, val4.byteOffset, valLenBytes4);
          const out4 = new Uint8Array(memory2.buffer, ptr4, valLenBytes4);
          out4.set(valData4);
        }
        
        dataView(memory2).setUint32(arg2 + 8, len4, true);
        dataView(memory2).setUint32(arg2 + 4, ptr4, true);
        
        break;
      }
      case 'err': {
        const e = variant7.val;
        dataView(memory2).setInt8(arg2 + 0, 1, true);
        var variant6 = e;
        switch (variant6.tag) {
          case 'last-operation-failed': {
            const e = variant6.val;
            dataView(memory2).setInt8(arg2 + 4, 0, true);
            
            if (!(e instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error\" resource.');
            }
            var handle5 = e[symbolRscHandle];
            if (!handle5) {
              const rep = e[symbolRscRep] || ++captureCnt0;
              captureTable0.set(rep, e);
              handle5 = rscTableCreateOwn(handleTable38, rep);
            }
            
            dataView(memory2).setInt32(arg2 + 8, handle5, true);
            break;
          }
          case 'closed': {
            dataView(memory2).setInt8(arg2 + 4, 1, true);
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
  _trampoline83.fnName = 'wasi:io/streams@0.2.0#read';
  
  const _trampoline84 = function(arg0, arg1, arg2, arg3) {
    var handle1 = arg0;
    
    var rep2 = handleTable29[(handle1 << 1) + 1] & ~T_FLAG;
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
    var result3 = new Uint8Array(memory2.buffer.slice(ptr3, ptr3 + len3 * 1));
    _debugLog('[iface="wasi:io/streams@0.2.0", function="[method]output-stream.blocking-write-and-flush"] [Instruction::CallInterface] (sync, @ enter)');
    const hostProvided = true;
    
    let parentTask;
    let task;
    let subtask;
    
    const createTask = () => {
      const results = createNewCurrentTask({
        componentIdx: -1,
        isAsync: false,
        entryFnName: 'blockingWriteAndFlush',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'result-catch-handler',
        callingWasmExport: false,
      });
      task = results[0];
    };
    
    taskCreation: {
      parentTask = getCurrentTask(
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
        fn: () => _trackHostOperation(() => rsc0.blockingWriteAndFlush(result3)),
      })
      ;
      ret = hostRet4 !== null && typeof hostRet4 === 'object' && (hostRet4.tag === 'ok' || hostRet4.tag === 'err')
      ? hostRet4
      : { tag: 'ok', val: hostRet4};
    } catch (e) {
      if (getOrCreateAsyncState(5).markTrapped(e)) { throw e; }
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
        dataView(memory2).setInt8(arg3 + 0, 0, true);
        
        break;
      }
      case 'err': {
        const e = variant7.val;
        dataView(memory2).setInt8(arg3 + 0, 1, true);
        var variant6 = e;
        switch (variant6.tag) {
          case 'last-operation-failed': {
            const e = variant6.val;
            dataView(memory2).setInt8(arg3 + 4, 0, true);
            
            if (!(e instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error\" resource.');
            }
            var handle5 = e[symbolRscHandle];
            if (!handle5) {
              const rep = e[symbolRscRep] || ++captureCnt0;
              captureTable0.set(rep, e);
              handle5 = rscTableCreateOwn(handleTable38, rep);
            }
            
            dataView(memory2).setInt32(arg3 + 8, handle5, true);
            break;
          }
          case 'closed': {
            dataView(memory2).setInt8(arg3 + 4, 1, true);
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
    _debugLog('[iface="wasi:io/streams@0.2.0", function="[method]output-stream.blocking-write-and-flush"][Instruction::Return]', {
      funcName: '[method]output-stream.blocking-write-and-flush',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline84.fnName = 'wasi:io/streams@0.2.0#blockingWriteAndFlush';
  
  const _trampoline85 = function(arg0, arg1, arg2) {
    var len3 = arg1;
    var base3 = arg0;
    if (base3 % 4 !== 0) throw new TypeError(`list pointer [${base3}] is not aligned to 4`);
    var result3 = [];
    for (let i = 0; i < len3; i++) {
      const base = base3 + i * 4;
      var handle1 = dataView(memory2).getInt32(base + 0, true);
      
      var rep2 = handleTable37[(handle1 << 1) + 1] & ~T_FLAG;
      var rsc0 = captureTable1.get(rep2);
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
      5,
      _getGlobalCurrentTaskMeta(5)?.taskID,
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
      getOrCreateAsyncState(5).markTrapped(err);
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
    var ptr4 = realloc2(0, 0, 4, len4 * 4);
    
    let valData4;
    const valLenBytes4 = len4 * 4;
    if (Array.isArray(val4)) {
      // Regular array likely containing numbers, write values to memory
      let offset = 0;
      const dv4 = new DataView(memory2.buffer);
      for (const v of val4) {
        _requireValidNumericPrimitive.bind(null, 'u32')(v);
        dv4.setUint32(ptr4+ offset, v, true);
        offset += 4;
      }
    } else {
      // TypedArray / ArrayBuffer-like, direct copy
      valData4 = new Uint8Array(val4.buffer || val4, val4.byteOffset, valLenBytes4);
      const out4 = new Uint8Array(memory2.buffer, ptr4, valLenBytes4);
      out4.set(valData4);
    }
    
    dataView(memory2).setUint32(arg2 + 4, len4, true);
    dataView(memory2).setUint32(arg2 + 0, ptr4, true);
    _debugLog('[iface="wasi:io/poll@0.2.0", function="poll"][Instruction::Return]', {
      funcName: 'poll',
      paramCount: 0,
      async: false,
      postReturn: false
    });
    task.resolve([ret]);
    task.exit();
  }
  _trampoline85.fnName = 'wasi:io/poll@0.2.0#poll';
  let exports8;
  let exports9;
  
  const handleTable1 = [T_FLAG, 0];
  handleTable1._createdReps = new Set();
  handleTable1._componentIdx = 0;
  
  HANDLE_TABLES[1] = handleTable1;
  
  const handleTable3 = [T_FLAG, 0];
  handleTable3._createdReps = new Set();
  handleTable3._componentIdx = 0;
  
  HANDLE_TABLES[3] = handleTable3;
  
  const handleTable0 = [T_FLAG, 0];
  handleTable0._createdReps = new Set();
  handleTable0._componentIdx = 0;
  
  HANDLE_TABLES[0] = handleTable0;
  
  const handleTable2 = [T_FLAG, 0];
  handleTable2._createdReps = new Set();
  handleTable2._componentIdx = 0;
  
  HANDLE_TABLES[2] = handleTable2;
  
  const handleTable5 = [T_FLAG, 0];
  handleTable5._createdReps = new Set();
  handleTable5._componentIdx = 0;
  
  HANDLE_TABLES[5] = handleTable5;
  
  const handleTable4 = [T_FLAG, 0];
  handleTable4._createdReps = new Set();
  handleTable4._componentIdx = 0;
  
  HANDLE_TABLES[4] = handleTable4;
  
  const handleTable6 = [T_FLAG, 0];
  handleTable6._createdReps = new Set();
  handleTable6._componentIdx = 0;
  
  HANDLE_TABLES[6] = handleTable6;
  
  const handleTable9 = [T_FLAG, 0];
  handleTable9._createdReps = new Set();
  handleTable9._componentIdx = 0;
  
  HANDLE_TABLES[9] = handleTable9;
  
  const handleTable7 = [T_FLAG, 0];
  handleTable7._createdReps = new Set();
  handleTable7._componentIdx = 0;
  
  HANDLE_TABLES[7] = handleTable7;
  
  const handleTable8 = [T_FLAG, 0];
  handleTable8._createdReps = new Set();
  handleTable8._componentIdx = 0;
  
  HANDLE_TABLES[8] = handleTable8;
  
  const handleTable10 = [T_FLAG, 0];
  handleTable10._createdReps = new Set();
  handleTable10._componentIdx = 0;
  
  HANDLE_TABLES[10] = handleTable10;
  
  const handleTable12 = [T_FLAG, 0];
  handleTable12._createdReps = new Set();
  handleTable12._componentIdx = 0;
  
  HANDLE_TABLES[12] = handleTable12;
  
  const handleTable11 = [T_FLAG, 0];
  handleTable11._createdReps = new Set();
  handleTable11._componentIdx = 0;
  
  HANDLE_TABLES[11] = handleTable11;
  
  const handleTable14 = [T_FLAG, 0];
  handleTable14._createdReps = new Set();
  handleTable14._componentIdx = 0;
  
  HANDLE_TABLES[14] = handleTable14;
  
  const handleTable15 = [T_FLAG, 0];
  handleTable15._createdReps = new Set();
  handleTable15._componentIdx = 0;
  
  HANDLE_TABLES[15] = handleTable15;
  
  const handleTable13 = [T_FLAG, 0];
  handleTable13._createdReps = new Set();
  handleTable13._componentIdx = 0;
  
  HANDLE_TABLES[13] = handleTable13;
  let incomingHandler020Handle;
  
  function handle$1(arg0, arg1) {
    
    const hostProvided = false;
    getOrCreateAsyncState(5).throwIfTrapped();
    
    const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
      componentIdx: 5,
      isAsync: false,
      isManualAsync: false,
      preserveFutureResult: false,
      entryFnName: 'incomingHandler020Handle',
      getCallbackFn: () => null,
      callbackFnName: null,
      errHandling: 'none',
      callingWasmExport: true,
    });
    task.setCalleeIsAsync(false);
    
    const started = task.enterSync();
    CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
    
    if (null!== null) {
      task.setReturnMemoryIdx(null);
      task.setReturnMemory((() => null)());
    }
    
    
    return _withGlobalCurrentTaskMeta({
      taskID: task.id(),
      componentIdx: task.componentIdx(),
      fn: () => {
        try {
          
          
          if (!(arg0 instanceof IncomingRequest)) {
            throw new TypeError('Resource error: Not a valid \"IncomingRequest\" resource.');
          }
          var handle0 = arg0[symbolRscHandle];
          if (!handle0) {
            const rep = arg0[symbolRscRep] || ++captureCnt4;
            captureTable4.set(rep, arg0);
            handle0 = rscTableCreateOwn(handleTable30, rep);
          }
          
          
          if (!(arg1 instanceof ResponseOutparam)) {
            throw new TypeError('Resource error: Not a valid \"ResponseOutparam\" resource.');
          }
          var handle1 = arg1[symbolRscHandle];
          if (!handle1) {
            const rep = arg1[symbolRscRep] || ++captureCnt9;
            captureTable9.set(rep, arg1);
            handle1 = rscTableCreateOwn(handleTable34, rep);
          }
          
          _debugLog('[iface="wasi:http/incoming-handler@0.2.0", function="handle"][Instruction::CallWasm] enter', {
            funcName: 'handle',
            paramCount: 2,
            async: false,
            postReturn: false,
          });
          
          let ret;
          
          try {
            _withGlobalCurrentTaskMeta({
              taskID: task.id(),
              componentIdx: task.componentIdx(),
              fn: () => incomingHandler020Handle(handle0, handle1),
            });
          } catch (err) {
            
            _debugLog('[Instruction::CallWasm] error during sync call', {
              taskID: task.id(),
              err,
            });
            getOrCreateAsyncState(5).markTrapped(err);
            task.setErrored(err);
            task.reject(err);
            task.exit();
            throw err;
            
          }
          
          _debugLog('[iface="wasi:http/incoming-handler@0.2.0", function="handle"][Instruction::Return]', {
            funcName: 'handle',
            paramCount: 0,
            async: false,
            postReturn: false
          });
          task.resolve([ret]);
          task.exit();
          
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
  let trampoline0 = _trampoline0.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 0,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline0.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 1,
      tableIdx: 16,
      classNameFn: () => Fields,
      createResourceFn: 
      (handle) => {
        const rep = handleTable5[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable5.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(Fields.prototype);
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
    ],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 17,
      lowerFn: 
      function lowerImportedOwnedHost_OutgoingRequest(obj) {
        if (!(obj instanceof OutgoingRequest)) {
          throw new TypeError('Resource error: Not a valid \"OutgoingRequest\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt10;
          captureTable10.set(rep, obj);
          handle = rscTableCreateOwn(handleTable10, rep);
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline0.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 1,
      tableIdx: 16,
      classNameFn: () => Fields,
      createResourceFn: 
      (handle) => {
        const rep = handleTable5[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable5.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(Fields.prototype);
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
    ],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 17,
      lowerFn: 
      function lowerImportedOwnedHost_OutgoingRequest(obj) {
        if (!(obj instanceof OutgoingRequest)) {
          throw new TypeError('Resource error: Not a valid \"OutgoingRequest\" resource.');
        }
        let handle = obj[symbolRscHandle];
        if (!handle) {
          const rep = obj[symbolRscRep] || ++captureCnt10;
          captureTable10.set(rep, obj);
          handle = rscTableCreateOwn(handleTable10, rep);
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
  let trampoline1 = _trampoline1.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 1,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline1.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 23)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 22,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline1.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 23)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 22,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
  let trampoline2 = _trampoline2.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 2,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline2.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 18)],
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline2.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 18)],
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
  let trampoline3 = _trampoline3.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 3,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline3.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 18)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 16,
      lowerFn: 
      function lowerImportedOwnedHost_Fields(obj) {
        if (!(obj instanceof Fields)) {
          throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
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
    importFn: _trampoline3,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 3,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline3.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 18)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 16,
      lowerFn: 
      function lowerImportedOwnedHost_Fields(obj) {
        if (!(obj instanceof Fields)) {
          throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
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
    importFn: _trampoline3,
  },
  );
  let trampoline4 = _trampoline4.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 4,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline4.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 24)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 22,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline4.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 24)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 22,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
    const handleEntry = rscTableRemove(handleTable24, handle);
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
    const handleEntry = rscTableRemove(handleTable19, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable6.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable6.delete(handleEntry.rep);
      } else if (IncomingBody[symbolCabiDispose]) {
        IncomingBody[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline7(handle) {
    const handleEntry = rscTableRemove(handleTable18, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable12.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable12.delete(handleEntry.rep);
      } else if (IncomingResponse[symbolCabiDispose]) {
        IncomingResponse[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline8(handle) {
    const handleEntry = rscTableRemove(handleTable23, handle);
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
    const handleEntry = rscTableRemove(handleTable20, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable11.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable11.delete(handleEntry.rep);
      } else if (FutureIncomingResponse[symbolCabiDispose]) {
        FutureIncomingResponse[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  let trampoline10 = _trampoline10.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 10,
    componentIdx: 1,
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
    componentIdx: 1,
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
  let trampoline11 = _trampoline11.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 11,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline11.manuallyAsync,
    paramLiftFns: [_liftFlatU64],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 22,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline11.manuallyAsync,
    paramLiftFns: [_liftFlatU64],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 22,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
  let trampoline12 = _trampoline12.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 12,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline12.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 22)],
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline12.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 22)],
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
    const handleEntry = rscTableRemove(handleTable22, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable1.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable1.delete(handleEntry.rep);
      } else if (Pollable[symbolCabiDispose]) {
        Pollable[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  let trampoline14 = _trampoline14.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 14,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline14.manuallyAsync,
    paramLiftFns: [_liftFlatU64],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 22,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline14.manuallyAsync,
    paramLiftFns: [_liftFlatU64],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 22,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
    const handleEntry = rscTableRemove(handleTable25, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable0.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable0.delete(handleEntry.rep);
      } else if (Error$1[symbolCabiDispose]) {
        Error$1[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  let trampoline16 = _trampoline16.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 16,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline16.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 22)],
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline16.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 22)],
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
    const handleEntry = rscTableRemove(handleTable17, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable10.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable10.delete(handleEntry.rep);
      } else if (OutgoingRequest[symbolCabiDispose]) {
        OutgoingRequest[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline18(handle) {
    const handleEntry = rscTableRemove(handleTable16, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable5.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable5.delete(handleEntry.rep);
      } else if (Fields[symbolCabiDispose]) {
        Fields[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline19(handle) {
    const handleEntry = rscTableRemove(handleTable21, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable8.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable8.delete(handleEntry.rep);
      } else if (OutgoingBody[symbolCabiDispose]) {
        OutgoingBody[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  let trampoline20 = _trampoline20.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 20,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline20.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 20)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 22,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline20.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 20)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 1,
      tableIdx: 22,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
  let trampoline21 = _trampoline21.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 21,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline21.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 16),_liftFlatStringAny],
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline21.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 16),_liftFlatStringAny],
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
  let trampoline22 = _trampoline22.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 22,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline22.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 17),_liftFlatVariant({
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline22.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 17),_liftFlatVariant({
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
  let trampoline23 = _trampoline23.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 23,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline23.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 17),
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline23.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 17),
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
  let trampoline24 = _trampoline24.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 24,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline24.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 17),
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline24.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 17),
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
  let trampoline25 = _trampoline25.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 25,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline25.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 17),
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline25.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 17),
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
  let trampoline26 = _trampoline26.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 26,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline26.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 17)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 1,
        tableIdx: 21,
        lowerFn: 
        function lowerImportedOwnedHost_OutgoingBody(obj) {
          if (!(obj instanceof OutgoingBody)) {
            throw new TypeError('Resource error: Not a valid \"OutgoingBody\" resource.');
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline26.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 17)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 1,
        tableIdx: 21,
        lowerFn: 
        function lowerImportedOwnedHost_OutgoingBody(obj) {
          if (!(obj instanceof OutgoingBody)) {
            throw new TypeError('Resource error: Not a valid \"OutgoingBody\" resource.');
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
  let trampoline27 = _trampoline27.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 27,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline27.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 21)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 1,
        tableIdx: 23,
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline27.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 21)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 1,
        tableIdx: 23,
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
  let trampoline28 = _trampoline28.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 28,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline28.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 1,
      tableIdx: 21,
      classNameFn: () => OutgoingBody,
      createResourceFn: 
      (handle) => {
        const rep = handleTable8[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable8.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(OutgoingBody.prototype);
          Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
          Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
        } else {
          captureTable8.delete(rep);
        }
        rscTableRemove(handleTable8, handle);
        return resourceObj;
      }
      ,
    })
    ,
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatOwn({
        componentIdx: 1,
        tableIdx: 16,
        classNameFn: () => Fields,
        createResourceFn: 
        (handle) => {
          const rep = handleTable5[(handle << 1) + 1] & ~T_FLAG;
          let resourceObj = captureTable5.get(rep);
          if (!resourceObj) {
            resourceObj = Object.create(Fields.prototype);
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline28.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 1,
      tableIdx: 21,
      classNameFn: () => OutgoingBody,
      createResourceFn: 
      (handle) => {
        const rep = handleTable8[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable8.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(OutgoingBody.prototype);
          Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
          Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
        } else {
          captureTable8.delete(rep);
        }
        rscTableRemove(handleTable8, handle);
        return resourceObj;
      }
      ,
    })
    ,
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatOwn({
        componentIdx: 1,
        tableIdx: 16,
        classNameFn: () => Fields,
        createResourceFn: 
        (handle) => {
          const rep = handleTable5[(handle << 1) + 1] & ~T_FLAG;
          let resourceObj = captureTable5.get(rep);
          if (!resourceObj) {
            resourceObj = Object.create(Fields.prototype);
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
  let trampoline29 = _trampoline29.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 29,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline29.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 20)],
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
            componentIdx: 1,
            tableIdx: 18,
            lowerFn: 
            function lowerImportedOwnedHost_IncomingResponse(obj) {
              if (!(obj instanceof IncomingResponse)) {
                throw new TypeError('Resource error: Not a valid \"IncomingResponse\" resource.');
              }
              let handle = obj[symbolRscHandle];
              if (!handle) {
                const rep = obj[symbolRscRep] || ++captureCnt12;
                captureTable12.set(rep, obj);
                handle = rscTableCreateOwn(handleTable12, rep);
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline29.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 20)],
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
            componentIdx: 1,
            tableIdx: 18,
            lowerFn: 
            function lowerImportedOwnedHost_IncomingResponse(obj) {
              if (!(obj instanceof IncomingResponse)) {
                throw new TypeError('Resource error: Not a valid \"IncomingResponse\" resource.');
              }
              let handle = obj[symbolRscHandle];
              if (!handle) {
                const rep = obj[symbolRscRep] || ++captureCnt12;
                captureTable12.set(rep, obj);
                handle = rscTableCreateOwn(handleTable12, rep);
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
  let trampoline30 = _trampoline30.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 30,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline30.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 18)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 1,
        tableIdx: 19,
        lowerFn: 
        function lowerImportedOwnedHost_IncomingBody(obj) {
          if (!(obj instanceof IncomingBody)) {
            throw new TypeError('Resource error: Not a valid \"IncomingBody\" resource.');
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
    importFn: _trampoline30,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 30,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline30.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 18)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 1,
        tableIdx: 19,
        lowerFn: 
        function lowerImportedOwnedHost_IncomingBody(obj) {
          if (!(obj instanceof IncomingBody)) {
            throw new TypeError('Resource error: Not a valid \"IncomingBody\" resource.');
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
    importFn: _trampoline30,
  },
  );
  let trampoline31 = _trampoline31.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 31,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline31.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 19)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 1,
        tableIdx: 24,
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline31.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 19)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 1,
        tableIdx: 24,
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
  let trampoline32 = _trampoline32.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 32,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline32.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 25)],
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline32.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 25)],
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
  let trampoline33 = _trampoline33.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 33,
    componentIdx: 1,
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
        componentIdx: 1,
        tableIdx: 16,
        lowerFn: 
        function lowerImportedOwnedHost_Fields(obj) {
          if (!(obj instanceof Fields)) {
            throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
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
    componentIdx: 1,
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
        componentIdx: 1,
        tableIdx: 16,
        lowerFn: 
        function lowerImportedOwnedHost_Fields(obj) {
          if (!(obj instanceof Fields)) {
            throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
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
  let trampoline34 = _trampoline34.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 34,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline34.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 1,
      tableIdx: 17,
      classNameFn: () => OutgoingRequest,
      createResourceFn: 
      (handle) => {
        const rep = handleTable10[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable10.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(OutgoingRequest.prototype);
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
    ,
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatOwn({
        componentIdx: 1,
        tableIdx: 26,
        classNameFn: () => RequestOptions,
        createResourceFn: 
        (handle) => {
          const rep = handleTable13[(handle << 1) + 1] & ~T_FLAG;
          let resourceObj = captureTable13.get(rep);
          if (!resourceObj) {
            resourceObj = Object.create(RequestOptions.prototype);
            Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
            Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
          } else {
            captureTable13.delete(rep);
          }
          rscTableRemove(handleTable13, handle);
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
        componentIdx: 1,
        tableIdx: 20,
        lowerFn: 
        function lowerImportedOwnedHost_FutureIncomingResponse(obj) {
          if (!(obj instanceof FutureIncomingResponse)) {
            throw new TypeError('Resource error: Not a valid \"FutureIncomingResponse\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt11;
            captureTable11.set(rep, obj);
            handle = rscTableCreateOwn(handleTable11, rep);
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline34.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 1,
      tableIdx: 17,
      classNameFn: () => OutgoingRequest,
      createResourceFn: 
      (handle) => {
        const rep = handleTable10[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable10.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(OutgoingRequest.prototype);
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
    ,
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatOwn({
        componentIdx: 1,
        tableIdx: 26,
        classNameFn: () => RequestOptions,
        createResourceFn: 
        (handle) => {
          const rep = handleTable13[(handle << 1) + 1] & ~T_FLAG;
          let resourceObj = captureTable13.get(rep);
          if (!resourceObj) {
            resourceObj = Object.create(RequestOptions.prototype);
            Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
            Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
          } else {
            captureTable13.delete(rep);
          }
          rscTableRemove(handleTable13, handle);
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
        componentIdx: 1,
        tableIdx: 20,
        lowerFn: 
        function lowerImportedOwnedHost_FutureIncomingResponse(obj) {
          if (!(obj instanceof FutureIncomingResponse)) {
            throw new TypeError('Resource error: Not a valid \"FutureIncomingResponse\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt11;
            captureTable11.set(rep, obj);
            handle = rscTableCreateOwn(handleTable11, rep);
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
  let trampoline35 = _trampoline35.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 35,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline35.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 23)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatU64, 16, 8, 8 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'last-operation-failed', _lowerFlatOwn({
          componentIdx: 1,
          tableIdx: 25,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline35.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 23)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatU64, 16, 8, 8 ],
      [ 'err', _lowerFlatVariant({
        caseMetas: [[ 'last-operation-failed', _lowerFlatOwn({
          componentIdx: 1,
          tableIdx: 25,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
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
  let trampoline36 = _trampoline36.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 36,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline36.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 23),_liftFlatList({
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
          componentIdx: 1,
          tableIdx: 25,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline36.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 23),_liftFlatList({
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
          componentIdx: 1,
          tableIdx: 25,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
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
  let trampoline37 = _trampoline37.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 37,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline37.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 24),_liftFlatU64],
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
          componentIdx: 1,
          tableIdx: 25,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline37.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 24),_liftFlatU64],
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
          componentIdx: 1,
          tableIdx: 25,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
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
  let trampoline38 = _trampoline38.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 38,
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline38.manuallyAsync,
    paramLiftFns: [_liftFlatList({
      elemLiftFn: _liftFlatBorrow.bind(null, 22),
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
    componentIdx: 1,
    isAsync: false,
    isManualAsync: _trampoline38.manuallyAsync,
    paramLiftFns: [_liftFlatList({
      elemLiftFn: _liftFlatBorrow.bind(null, 22),
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
  let trampoline39 = _trampoline39.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(1, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 39,
    componentIdx: 1,
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
    componentIdx: 1,
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
  function trampoline40(handle) {
    const handleEntry = rscTableRemove(handleTable27, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable14.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable14.delete(handleEntry.rep);
      } else if (Descriptor[symbolCabiDispose]) {
        Descriptor[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline41(handle) {
    const handleEntry = rscTableRemove(handleTable28, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable15.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable15.delete(handleEntry.rep);
      } else if (DirectoryEntryStream[symbolCabiDispose]) {
        DirectoryEntryStream[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  let trampoline42 = _trampoline42.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(3, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 42,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline42.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatFlags({ names: ['symlinkFollow'], size32: 1, align32: 1, intSizeBytes: 1 }),_liftFlatStringAny],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatRecord({ fieldMetas: [['type', 
      _lowerFlatEnum({
        caseMetas: [['unknown', null, 1, 1, 1],['block-device', null, 1, 1, 1],['character-device', null, 1, 1, 1],['directory', null, 1, 1, 1],['fifo', null, 1, 1, 1],['symbolic-link', null, 1, 1, 1],['regular-file', null, 1, 1, 1],['socket', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 1, 1 ],['linkCount', _lowerFlatU64, 8, 8 ],['size', _lowerFlatU64, 8, 8 ],['dataAccessTimestamp', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['seconds', _lowerFlatU64, 8, 8 ],['nanoseconds', _lowerFlatU32, 4, 4 ],], size32: 16, align32: 8 }), 16, 8, 2],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 3,
        payloadMaybeNull: false,
      })
      , 24, 8 ],['dataModificationTimestamp', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['seconds', _lowerFlatU64, 8, 8 ],['nanoseconds', _lowerFlatU32, 4, 4 ],], size32: 16, align32: 8 }), 16, 8, 2],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 3,
        payloadMaybeNull: false,
      })
      , 24, 8 ],['statusChangeTimestamp', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['seconds', _lowerFlatU64, 8, 8 ],['nanoseconds', _lowerFlatU32, 4, 4 ],], size32: 16, align32: 8 }), 16, 8, 2],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 3,
        payloadMaybeNull: false,
      })
      , 24, 8 ],], size32: 96, align32: 8 }), 104, 8, 8 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 104, 8, 8 ],
      ],
      variantSize32: 104,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 13,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline42,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 42,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline42.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatFlags({ names: ['symlinkFollow'], size32: 1, align32: 1, intSizeBytes: 1 }),_liftFlatStringAny],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatRecord({ fieldMetas: [['type', 
      _lowerFlatEnum({
        caseMetas: [['unknown', null, 1, 1, 1],['block-device', null, 1, 1, 1],['character-device', null, 1, 1, 1],['directory', null, 1, 1, 1],['fifo', null, 1, 1, 1],['symbolic-link', null, 1, 1, 1],['regular-file', null, 1, 1, 1],['socket', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 1, 1 ],['linkCount', _lowerFlatU64, 8, 8 ],['size', _lowerFlatU64, 8, 8 ],['dataAccessTimestamp', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['seconds', _lowerFlatU64, 8, 8 ],['nanoseconds', _lowerFlatU32, 4, 4 ],], size32: 16, align32: 8 }), 16, 8, 2],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 3,
        payloadMaybeNull: false,
      })
      , 24, 8 ],['dataModificationTimestamp', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['seconds', _lowerFlatU64, 8, 8 ],['nanoseconds', _lowerFlatU32, 4, 4 ],], size32: 16, align32: 8 }), 16, 8, 2],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 3,
        payloadMaybeNull: false,
      })
      , 24, 8 ],['statusChangeTimestamp', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['seconds', _lowerFlatU64, 8, 8 ],['nanoseconds', _lowerFlatU32, 4, 4 ],], size32: 16, align32: 8 }), 16, 8, 2],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 3,
        payloadMaybeNull: false,
      })
      , 24, 8 ],], size32: 96, align32: 8 }), 104, 8, 8 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 104, 8, 8 ],
      ],
      variantSize32: 104,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 13,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline42,
  },
  );
  let trampoline43 = _trampoline43.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(3, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 43,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline43.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatU64,_liftFlatU64],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatTuple({ elemLowerMetas: [[_lowerFlatList({
        elemLowerFn: _lowerFlatU8,
        elemSize32: 1,
        elemAlign32: 1,
      }), 8, 4],[_lowerFlatBool, 1, 1],], size32: 12, align32: 4 }), 16, 4, 4 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 16, 4, 4 ],
      ],
      variantSize32: 16,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 4,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: () => realloc1,
    importFn: _trampoline43,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 43,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline43.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatU64,_liftFlatU64],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatTuple({ elemLowerMetas: [[_lowerFlatList({
        elemLowerFn: _lowerFlatU8,
        elemSize32: 1,
        elemAlign32: 1,
      }), 8, 4],[_lowerFlatBool, 1, 1],], size32: 12, align32: 4 }), 16, 4, 4 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 16, 4, 4 ],
      ],
      variantSize32: 16,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 4,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: () => realloc1,
    importFn: _trampoline43,
  },
  );
  let trampoline44 = _trampoline44.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(3, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 44,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline44.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatRecord({ fieldMetas: [['type', 
      _lowerFlatEnum({
        caseMetas: [['unknown', null, 1, 1, 1],['block-device', null, 1, 1, 1],['character-device', null, 1, 1, 1],['directory', null, 1, 1, 1],['fifo', null, 1, 1, 1],['symbolic-link', null, 1, 1, 1],['regular-file', null, 1, 1, 1],['socket', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 1, 1 ],['linkCount', _lowerFlatU64, 8, 8 ],['size', _lowerFlatU64, 8, 8 ],['dataAccessTimestamp', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['seconds', _lowerFlatU64, 8, 8 ],['nanoseconds', _lowerFlatU32, 4, 4 ],], size32: 16, align32: 8 }), 16, 8, 2],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 3,
        payloadMaybeNull: false,
      })
      , 24, 8 ],['dataModificationTimestamp', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['seconds', _lowerFlatU64, 8, 8 ],['nanoseconds', _lowerFlatU32, 4, 4 ],], size32: 16, align32: 8 }), 16, 8, 2],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 3,
        payloadMaybeNull: false,
      })
      , 24, 8 ],['statusChangeTimestamp', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['seconds', _lowerFlatU64, 8, 8 ],['nanoseconds', _lowerFlatU32, 4, 4 ],], size32: 16, align32: 8 }), 16, 8, 2],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 3,
        payloadMaybeNull: false,
      })
      , 24, 8 ],], size32: 96, align32: 8 }), 104, 8, 8 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 104, 8, 8 ],
      ],
      variantSize32: 104,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 13,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline44,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 44,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline44.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatRecord({ fieldMetas: [['type', 
      _lowerFlatEnum({
        caseMetas: [['unknown', null, 1, 1, 1],['block-device', null, 1, 1, 1],['character-device', null, 1, 1, 1],['directory', null, 1, 1, 1],['fifo', null, 1, 1, 1],['symbolic-link', null, 1, 1, 1],['regular-file', null, 1, 1, 1],['socket', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 1, 1 ],['linkCount', _lowerFlatU64, 8, 8 ],['size', _lowerFlatU64, 8, 8 ],['dataAccessTimestamp', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['seconds', _lowerFlatU64, 8, 8 ],['nanoseconds', _lowerFlatU32, 4, 4 ],], size32: 16, align32: 8 }), 16, 8, 2],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 3,
        payloadMaybeNull: false,
      })
      , 24, 8 ],['dataModificationTimestamp', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['seconds', _lowerFlatU64, 8, 8 ],['nanoseconds', _lowerFlatU32, 4, 4 ],], size32: 16, align32: 8 }), 16, 8, 2],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 3,
        payloadMaybeNull: false,
      })
      , 24, 8 ],['statusChangeTimestamp', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['seconds', _lowerFlatU64, 8, 8 ],['nanoseconds', _lowerFlatU32, 4, 4 ],], size32: 16, align32: 8 }), 16, 8, 2],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 3,
        payloadMaybeNull: false,
      })
      , 24, 8 ],], size32: 96, align32: 8 }), 104, 8, 8 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 104, 8, 8 ],
      ],
      variantSize32: 104,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 13,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline44,
  },
  );
  let trampoline45 = _trampoline45.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(3, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 45,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline45.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatList({
      elemLiftFn: _liftFlatU8,
      elemAlign32: 1,
      elemSize32: 1,
      typedArray: Uint8Array,
    }),_liftFlatU64],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatU64, 16, 8, 8 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 16, 8, 8 ],
      ],
      variantSize32: 16,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline45,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 45,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline45.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatList({
      elemLiftFn: _liftFlatU8,
      elemAlign32: 1,
      elemSize32: 1,
      typedArray: Uint8Array,
    }),_liftFlatU64],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatU64, 16, 8, 8 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 16, 8, 8 ],
      ],
      variantSize32: 16,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline45,
  },
  );
  let trampoline46 = _trampoline46.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(3, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 46,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline46.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatFlags({ names: ['symlinkFollow'], size32: 1, align32: 1, intSizeBytes: 1 }),_liftFlatStringAny,_liftFlatBorrow.bind(null, 27),_liftFlatStringAny],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 2, 1, 1 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 2, 1, 1 ],
      ],
      variantSize32: 2,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline46,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 46,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline46.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatFlags({ names: ['symlinkFollow'], size32: 1, align32: 1, intSizeBytes: 1 }),_liftFlatStringAny,_liftFlatBorrow.bind(null, 27),_liftFlatStringAny],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 2, 1, 1 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 2, 1, 1 ],
      ],
      variantSize32: 2,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline46,
  },
  );
  let trampoline47 = _trampoline47.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(3, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 47,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline47.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatStringAny],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 2, 1, 1 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 2, 1, 1 ],
      ],
      variantSize32: 2,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline47,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 47,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline47.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatStringAny],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 2, 1, 1 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 2, 1, 1 ],
      ],
      variantSize32: 2,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline47,
  },
  );
  let trampoline48 = _trampoline48.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(3, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 48,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline48.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 3,
        tableIdx: 28,
        lowerFn: 
        function lowerImportedOwnedHost_DirectoryEntryStream(obj) {
          if (!(obj instanceof DirectoryEntryStream)) {
            throw new TypeError('Resource error: Not a valid \"DirectoryEntryStream\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt15;
            captureTable15.set(rep, obj);
            handle = rscTableCreateOwn(handleTable15, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 8, 4, 4 ],
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
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline48,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 48,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline48.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 3,
        tableIdx: 28,
        lowerFn: 
        function lowerImportedOwnedHost_DirectoryEntryStream(obj) {
          if (!(obj instanceof DirectoryEntryStream)) {
            throw new TypeError('Resource error: Not a valid \"DirectoryEntryStream\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt15;
            captureTable15.set(rep, obj);
            handle = rscTableCreateOwn(handleTable15, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 8, 4, 4 ],
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
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline48,
  },
  );
  let trampoline49 = _trampoline49.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(3, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 49,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline49.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 28)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['type', 
        _lowerFlatEnum({
          caseMetas: [['unknown', null, 1, 1, 1],['block-device', null, 1, 1, 1],['character-device', null, 1, 1, 1],['directory', null, 1, 1, 1],['fifo', null, 1, 1, 1],['symbolic-link', null, 1, 1, 1],['regular-file', null, 1, 1, 1],['socket', null, 1, 1, 1],],
          variantSize32: 1,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 1,
        })
        , 1, 1 ],['name', _lowerFlatStringAny, 8, 4 ],], size32: 12, align32: 4 }), 12, 4, 3],
        ],
        variantSize32: 16,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 4,
        payloadMaybeNull: false,
      })
      , 20, 4, 4 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 20, 4, 4 ],
      ],
      variantSize32: 20,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 5,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: () => realloc1,
    importFn: _trampoline49,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 49,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline49.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 28)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', 
      _lowerFlatOption({
        caseMetas: [
        [ 'none', null, 0, 0, 0 ],
        [ 'some', _lowerFlatRecord({ fieldMetas: [['type', 
        _lowerFlatEnum({
          caseMetas: [['unknown', null, 1, 1, 1],['block-device', null, 1, 1, 1],['character-device', null, 1, 1, 1],['directory', null, 1, 1, 1],['fifo', null, 1, 1, 1],['symbolic-link', null, 1, 1, 1],['regular-file', null, 1, 1, 1],['socket', null, 1, 1, 1],],
          variantSize32: 1,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 1,
        })
        , 1, 1 ],['name', _lowerFlatStringAny, 8, 4 ],], size32: 12, align32: 4 }), 12, 4, 3],
        ],
        variantSize32: 16,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 4,
        payloadMaybeNull: false,
      })
      , 20, 4, 4 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 20, 4, 4 ],
      ],
      variantSize32: 20,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 5,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: () => realloc1,
    importFn: _trampoline49,
  },
  );
  let trampoline50 = _trampoline50.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(3, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 50,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline50.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatStringAny],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 2, 1, 1 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 2, 1, 1 ],
      ],
      variantSize32: 2,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline50,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 50,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline50.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatStringAny],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 2, 1, 1 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 2, 1, 1 ],
      ],
      variantSize32: 2,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline50,
  },
  );
  let trampoline51 = _trampoline51.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(3, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 51,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline51.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 2, 1, 1 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 2, 1, 1 ],
      ],
      variantSize32: 2,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline51,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 51,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline51.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', null, 2, 1, 1 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 2, 1, 1 ],
      ],
      variantSize32: 2,
      variantAlign32: 1,
      variantPayloadOffset32: 1,
      variantFlatCount: 2,
    })
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline51,
  },
  );
  let trampoline52 = _trampoline52.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(3, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 52,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline52.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatFlags({ names: ['symlinkFollow'], size32: 1, align32: 1, intSizeBytes: 1 }),_liftFlatStringAny,_liftFlatFlags({ names: ['create','directory','exclusive','truncate'], size32: 1, align32: 1, intSizeBytes: 1 }),_liftFlatFlags({ names: ['read','write','fileIntegritySync','dataIntegritySync','requestedWriteSync','mutateDirectory'], size32: 1, align32: 1, intSizeBytes: 1 })],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 3,
        tableIdx: 27,
        lowerFn: 
        function lowerImportedOwnedHost_Descriptor(obj) {
          if (!(obj instanceof Descriptor)) {
            throw new TypeError('Resource error: Not a valid \"Descriptor\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt14;
            captureTable14.set(rep, obj);
            handle = rscTableCreateOwn(handleTable14, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 8, 4, 4 ],
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
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline52,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 52,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline52.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 27),_liftFlatFlags({ names: ['symlinkFollow'], size32: 1, align32: 1, intSizeBytes: 1 }),_liftFlatStringAny,_liftFlatFlags({ names: ['create','directory','exclusive','truncate'], size32: 1, align32: 1, intSizeBytes: 1 }),_liftFlatFlags({ names: ['read','write','fileIntegritySync','dataIntegritySync','requestedWriteSync','mutateDirectory'], size32: 1, align32: 1, intSizeBytes: 1 })],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 3,
        tableIdx: 27,
        lowerFn: 
        function lowerImportedOwnedHost_Descriptor(obj) {
          if (!(obj instanceof Descriptor)) {
            throw new TypeError('Resource error: Not a valid \"Descriptor\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt14;
            captureTable14.set(rep, obj);
            handle = rscTableCreateOwn(handleTable14, rep);
          }
          return handle;
        }
        ,
      }), 8, 4, 4 ],
      [ 'err', 
      _lowerFlatEnum({
        caseMetas: [['access', null, 1, 1, 1],['would-block', null, 1, 1, 1],['already', null, 1, 1, 1],['bad-descriptor', null, 1, 1, 1],['busy', null, 1, 1, 1],['deadlock', null, 1, 1, 1],['quota', null, 1, 1, 1],['exist', null, 1, 1, 1],['file-too-large', null, 1, 1, 1],['illegal-byte-sequence', null, 1, 1, 1],['in-progress', null, 1, 1, 1],['interrupted', null, 1, 1, 1],['invalid', null, 1, 1, 1],['io', null, 1, 1, 1],['is-directory', null, 1, 1, 1],['loop', null, 1, 1, 1],['too-many-links', null, 1, 1, 1],['message-size', null, 1, 1, 1],['name-too-long', null, 1, 1, 1],['no-device', null, 1, 1, 1],['no-entry', null, 1, 1, 1],['no-lock', null, 1, 1, 1],['insufficient-memory', null, 1, 1, 1],['insufficient-space', null, 1, 1, 1],['not-directory', null, 1, 1, 1],['not-empty', null, 1, 1, 1],['not-recoverable', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['no-tty', null, 1, 1, 1],['no-such-device', null, 1, 1, 1],['overflow', null, 1, 1, 1],['not-permitted', null, 1, 1, 1],['pipe', null, 1, 1, 1],['read-only', null, 1, 1, 1],['invalid-seek', null, 1, 1, 1],['text-file-busy', null, 1, 1, 1],['cross-device', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      , 8, 4, 4 ],
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
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: undefined,
    importFn: _trampoline52,
  },
  );
  let trampoline53 = _trampoline53.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(3, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 53,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline53.manuallyAsync,
    paramLiftFns: [],
    resultLowerFns: [_lowerFlatList({
      elemLowerFn: _lowerFlatTuple({ elemLowerMetas: [[_lowerFlatOwn({
        componentIdx: 3,
        tableIdx: 27,
        lowerFn: 
        function lowerImportedOwnedHost_Descriptor(obj) {
          if (!(obj instanceof Descriptor)) {
            throw new TypeError('Resource error: Not a valid \"Descriptor\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt14;
            captureTable14.set(rep, obj);
            handle = rscTableCreateOwn(handleTable14, rep);
          }
          return handle;
        }
        ,
      }), 4, 4],[_lowerFlatStringAny, 8, 4],], size32: 12, align32: 4 }),
      elemSize32: 12,
      elemAlign32: 4,
    })],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: () => realloc1,
    importFn: _trampoline53,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 53,
    componentIdx: 3,
    isAsync: false,
    isManualAsync: _trampoline53.manuallyAsync,
    paramLiftFns: [],
    resultLowerFns: [_lowerFlatList({
      elemLowerFn: _lowerFlatTuple({ elemLowerMetas: [[_lowerFlatOwn({
        componentIdx: 3,
        tableIdx: 27,
        lowerFn: 
        function lowerImportedOwnedHost_Descriptor(obj) {
          if (!(obj instanceof Descriptor)) {
            throw new TypeError('Resource error: Not a valid \"Descriptor\" resource.');
          }
          let handle = obj[symbolRscHandle];
          if (!handle) {
            const rep = obj[symbolRscRep] || ++captureCnt14;
            captureTable14.set(rep, obj);
            handle = rscTableCreateOwn(handleTable14, rep);
          }
          return handle;
        }
        ,
      }), 4, 4],[_lowerFlatStringAny, 8, 4],], size32: 12, align32: 4 }),
      elemSize32: 12,
      elemAlign32: 4,
    })],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 1,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory1,
    getReallocFn: () => realloc1,
    importFn: _trampoline53,
  },
  );
  let trampoline54 = _trampoline54.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 54,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline54.manuallyAsync,
    paramLiftFns: [],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 5,
      tableIdx: 29,
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
    importFn: _trampoline54,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 54,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline54.manuallyAsync,
    paramLiftFns: [],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 5,
      tableIdx: 29,
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
    importFn: _trampoline54,
  },
  );
  let trampoline55 = _trampoline55.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 55,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline55.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 30)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 5,
      tableIdx: 31,
      lowerFn: 
      function lowerImportedOwnedHost_Fields(obj) {
        if (!(obj instanceof Fields)) {
          throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
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
    importFn: _trampoline55,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 55,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline55.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 30)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 5,
      tableIdx: 31,
      lowerFn: 
      function lowerImportedOwnedHost_Fields(obj) {
        if (!(obj instanceof Fields)) {
          throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
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
    importFn: _trampoline55,
  },
  );
  let trampoline56 = _trampoline56.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 56,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline56.manuallyAsync,
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
    importFn: _trampoline56,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 56,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline56.manuallyAsync,
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
    importFn: _trampoline56,
  },
  );
  let trampoline57 = _trampoline57.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 57,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline57.manuallyAsync,
    paramLiftFns: [_liftFlatU64],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 5,
      tableIdx: 37,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
    importFn: _trampoline57,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 57,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline57.manuallyAsync,
    paramLiftFns: [_liftFlatU64],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 5,
      tableIdx: 37,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
    importFn: _trampoline57,
  },
  );
  let trampoline58 = _trampoline58.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 58,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline58.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 36)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 5,
      tableIdx: 37,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
    importFn: _trampoline58,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 58,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline58.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 36)],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 5,
      tableIdx: 37,
      lowerFn: 
      function lowerImportedOwnedHost_Pollable(obj) {
        if (!(obj instanceof Pollable)) {
          throw new TypeError('Resource error: Not a valid \"Pollable\" resource.');
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
    importFn: _trampoline58,
  },
  );
  function trampoline59(handle) {
    const handleEntry = rscTableRemove(handleTable36, handle);
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
  function trampoline60(handle) {
    const handleEntry = rscTableRemove(handleTable32, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable6.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable6.delete(handleEntry.rep);
      } else if (IncomingBody[symbolCabiDispose]) {
        IncomingBody[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline61(handle) {
    const handleEntry = rscTableRemove(handleTable38, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable0.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable0.delete(handleEntry.rep);
      } else if (Error$1[symbolCabiDispose]) {
        Error$1[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline62(handle) {
    const handleEntry = rscTableRemove(handleTable29, handle);
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
  let trampoline63 = _trampoline63.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 63,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline63.manuallyAsync,
    paramLiftFns: [],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 5,
      tableIdx: 31,
      lowerFn: 
      function lowerImportedOwnedHost_Fields(obj) {
        if (!(obj instanceof Fields)) {
          throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
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
    importFn: _trampoline63,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 63,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline63.manuallyAsync,
    paramLiftFns: [],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 5,
      tableIdx: 31,
      lowerFn: 
      function lowerImportedOwnedHost_Fields(obj) {
        if (!(obj instanceof Fields)) {
          throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
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
    importFn: _trampoline63,
  },
  );
  let trampoline64 = _trampoline64.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 64,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline64.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 5,
      tableIdx: 31,
      classNameFn: () => Fields,
      createResourceFn: 
      (handle) => {
        const rep = handleTable5[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable5.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(Fields.prototype);
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
    ],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 5,
      tableIdx: 33,
      lowerFn: 
      function lowerImportedOwnedHost_OutgoingResponse(obj) {
        if (!(obj instanceof OutgoingResponse)) {
          throw new TypeError('Resource error: Not a valid \"OutgoingResponse\" resource.');
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
    importFn: _trampoline64,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 64,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline64.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 5,
      tableIdx: 31,
      classNameFn: () => Fields,
      createResourceFn: 
      (handle) => {
        const rep = handleTable5[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable5.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(Fields.prototype);
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
    ],
    resultLowerFns: [_lowerFlatOwn({
      componentIdx: 5,
      tableIdx: 33,
      lowerFn: 
      function lowerImportedOwnedHost_OutgoingResponse(obj) {
        if (!(obj instanceof OutgoingResponse)) {
          throw new TypeError('Resource error: Not a valid \"OutgoingResponse\" resource.');
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
    importFn: _trampoline64,
  },
  );
  let trampoline65 = _trampoline65.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 65,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline65.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 33),_liftFlatU16],
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
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline65,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 65,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline65.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 33),_liftFlatU16],
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
    memoryIdx: null,
    stringEncoding: 'utf8',
    getMemoryFn: () => null,
    getReallocFn: undefined,
    importFn: _trampoline65,
  },
  );
  function trampoline66(handle) {
    const handleEntry = rscTableRemove(handleTable33, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable7.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable7.delete(handleEntry.rep);
      } else if (OutgoingResponse[symbolCabiDispose]) {
        OutgoingResponse[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline67(handle) {
    const handleEntry = rscTableRemove(handleTable34, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable9.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable9.delete(handleEntry.rep);
      } else if (ResponseOutparam[symbolCabiDispose]) {
        ResponseOutparam[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline68(handle) {
    const handleEntry = rscTableRemove(handleTable35, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable8.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable8.delete(handleEntry.rep);
      } else if (OutgoingBody[symbolCabiDispose]) {
        OutgoingBody[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline69(handle) {
    const handleEntry = rscTableRemove(handleTable30, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable4.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable4.delete(handleEntry.rep);
      } else if (IncomingRequest[symbolCabiDispose]) {
        IncomingRequest[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline70(handle) {
    const handleEntry = rscTableRemove(handleTable37, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable1.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable1.delete(handleEntry.rep);
      } else if (Pollable[symbolCabiDispose]) {
        Pollable[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  function trampoline71(handle) {
    const handleEntry = rscTableRemove(handleTable31, handle);
    if (handleEntry.own) {
      
      const rsc = captureTable5.get(handleEntry.rep);
      if (rsc) {
        if (rsc[symbolDispose]) rsc[symbolDispose]();
        captureTable5.delete(handleEntry.rep);
      } else if (Fields[symbolCabiDispose]) {
        Fields[symbolCabiDispose](handleEntry.rep);
      }
    }
  }
  let trampoline72 = _trampoline72.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 72,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline72.manuallyAsync,
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline72,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 72,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline72.manuallyAsync,
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline72,
  },
  );
  let trampoline73 = _trampoline73.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 73,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline73.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 30)],
    resultLowerFns: [_lowerFlatVariant({
      caseMetas: [[ 'get', null, 0, 0, 0 ],[ 'head', null, 0, 0, 0 ],[ 'post', null, 0, 0, 0 ],[ 'put', null, 0, 0, 0 ],[ 'delete', null, 0, 0, 0 ],[ 'connect', null, 0, 0, 0 ],[ 'options', null, 0, 0, 0 ],[ 'trace', null, 0, 0, 0 ],[ 'patch', null, 0, 0, 0 ],[ 'other', _lowerFlatStringAny, 8, 4, 2 ],],
      variantSize32: 12,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 3,
    } )],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline73,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 73,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline73.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 30)],
    resultLowerFns: [_lowerFlatVariant({
      caseMetas: [[ 'get', null, 0, 0, 0 ],[ 'head', null, 0, 0, 0 ],[ 'post', null, 0, 0, 0 ],[ 'put', null, 0, 0, 0 ],[ 'delete', null, 0, 0, 0 ],[ 'connect', null, 0, 0, 0 ],[ 'options', null, 0, 0, 0 ],[ 'trace', null, 0, 0, 0 ],[ 'patch', null, 0, 0, 0 ],[ 'other', _lowerFlatStringAny, 8, 4, 2 ],],
      variantSize32: 12,
      variantAlign32: 4,
      variantPayloadOffset32: 4,
      variantFlatCount: 3,
    } )],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline73,
  },
  );
  let trampoline74 = _trampoline74.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 74,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline74.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 30)],
    resultLowerFns: [
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
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline74,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 74,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline74.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 30)],
    resultLowerFns: [
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
    ],
    hasResultPointer: true,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline74,
  },
  );
  let trampoline75 = _trampoline75.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 75,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline75.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 30)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 5,
        tableIdx: 32,
        lowerFn: 
        function lowerImportedOwnedHost_IncomingBody(obj) {
          if (!(obj instanceof IncomingBody)) {
            throw new TypeError('Resource error: Not a valid \"IncomingBody\" resource.');
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline75,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 75,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline75.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 30)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 5,
        tableIdx: 32,
        lowerFn: 
        function lowerImportedOwnedHost_IncomingBody(obj) {
          if (!(obj instanceof IncomingBody)) {
            throw new TypeError('Resource error: Not a valid \"IncomingBody\" resource.');
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline75,
  },
  );
  let trampoline76 = _trampoline76.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 76,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline76.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 32)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 5,
        tableIdx: 36,
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline76,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 76,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline76.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 32)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 5,
        tableIdx: 36,
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline76,
  },
  );
  let trampoline77 = _trampoline77.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 77,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline77.manuallyAsync,
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
        componentIdx: 5,
        tableIdx: 31,
        lowerFn: 
        function lowerImportedOwnedHost_Fields(obj) {
          if (!(obj instanceof Fields)) {
            throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline77,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 77,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline77.manuallyAsync,
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
        componentIdx: 5,
        tableIdx: 31,
        lowerFn: 
        function lowerImportedOwnedHost_Fields(obj) {
          if (!(obj instanceof Fields)) {
            throw new TypeError('Resource error: Not a valid \"Fields\" resource.');
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline77,
  },
  );
  let trampoline78 = _trampoline78.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 78,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline78.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 33)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 5,
        tableIdx: 35,
        lowerFn: 
        function lowerImportedOwnedHost_OutgoingBody(obj) {
          if (!(obj instanceof OutgoingBody)) {
            throw new TypeError('Resource error: Not a valid \"OutgoingBody\" resource.');
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline78,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 78,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline78.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 33)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 5,
        tableIdx: 35,
        lowerFn: 
        function lowerImportedOwnedHost_OutgoingBody(obj) {
          if (!(obj instanceof OutgoingBody)) {
            throw new TypeError('Resource error: Not a valid \"OutgoingBody\" resource.');
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline78,
  },
  );
  let trampoline79 = _trampoline79.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 79,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline79.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 5,
      tableIdx: 34,
      classNameFn: () => ResponseOutparam,
      createResourceFn: 
      (handle) => {
        const rep = handleTable34[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable9.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(ResponseOutparam.prototype);
          Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
          Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
        } else {
          captureTable9.delete(rep);
        }
        rscTableRemove(handleTable34, handle);
        return resourceObj;
      }
      ,
    })
    ,
    _liftFlatResult({
      caseMetas: [['ok', _liftFlatOwn({
        componentIdx: 5,
        tableIdx: 33,
        classNameFn: () => OutgoingResponse,
        createResourceFn: 
        (handle) => {
          const rep = handleTable7[(handle << 1) + 1] & ~T_FLAG;
          let resourceObj = captureTable7.get(rep);
          if (!resourceObj) {
            resourceObj = Object.create(OutgoingResponse.prototype);
            Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
            Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
          } else {
            captureTable7.delete(rep);
          }
          rscTableRemove(handleTable7, handle);
          return resourceObj;
        }
        ,
      })
      , 4, 4, 1, ['i32']],['err', _liftFlatVariant({
        caseMetas: [['DNS-timeout', null, 0, 0, 0, []],['DNS-error', _liftFlatRecord({ fieldMetas: [['rcode', 
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
        , 12, 4],['infoCode', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU16, 2, 2, 1, ['i32'] ],
          ],
          variantSize32: 4,
          variantAlign32: 2,
          variantPayloadOffset32: 2,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 4, 2],], size32: 16, align32: 4 }), 16, 4, 5, ['i32','i32','i32','i32','i32']],['destination-not-found', null, 0, 0, 0, []],['destination-unavailable', null, 0, 0, 0, []],['destination-IP-prohibited', null, 0, 0, 0, []],['destination-IP-unroutable', null, 0, 0, 0, []],['connection-refused', null, 0, 0, 0, []],['connection-terminated', null, 0, 0, 0, []],['connection-timeout', null, 0, 0, 0, []],['connection-read-timeout', null, 0, 0, 0, []],['connection-write-timeout', null, 0, 0, 0, []],['connection-limit-reached', null, 0, 0, 0, []],['TLS-protocol-error', null, 0, 0, 0, []],['TLS-certificate-error', null, 0, 0, 0, []],['TLS-alert-received', _liftFlatRecord({ fieldMetas: [['alertId', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU8, 1, 1, 1, ['i32'] ],
          ],
          variantSize32: 2,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 2, 1],['alertMessage', 
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
        , 12, 4],], size32: 16, align32: 4 }), 16, 4, 5, ['i32','i32','i32','i32','i32']],['HTTP-request-denied', null, 0, 0, 0, []],['HTTP-request-length-required', null, 0, 0, 0, []],['HTTP-request-body-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU64, 8, 8, 1, ['i64'] ],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i64'],
          payloadMaybeNull: false,
        })
        , 16, 8, 2, ['i32','i64']],['HTTP-request-method-invalid', null, 0, 0, 0, []],['HTTP-request-URI-invalid', null, 0, 0, 0, []],['HTTP-request-URI-too-long', null, 0, 0, 0, []],['HTTP-request-header-section-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4, 2, ['i32','i32']],['HTTP-request-header-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatRecord({ fieldMetas: [['fieldName', 
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
          , 12, 4],['fieldSize', 
          _liftFlatOption({
            caseMetas: [
            ['none', null, 0, 0, 0, [] ],
            ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
            ],
            variantSize32: 8,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 2,
            variantPayloadFlatTypes: ['i32'],
            payloadMaybeNull: false,
          })
          , 8, 4],], size32: 20, align32: 4 }), 20, 4, 5, ['i32','i32','i32','i32','i32'] ],
          ],
          variantSize32: 24,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 6,
          variantPayloadFlatTypes: ['i32','i32','i32','i32','i32'],
          payloadMaybeNull: false,
        })
        , 24, 4, 6, ['i32','i32','i32','i32','i32','i32']],['HTTP-request-trailer-section-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4, 2, ['i32','i32']],['HTTP-request-trailer-size', _liftFlatRecord({ fieldMetas: [['fieldName', 
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
        , 12, 4],['fieldSize', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4],], size32: 20, align32: 4 }), 20, 4, 5, ['i32','i32','i32','i32','i32']],['HTTP-response-incomplete', null, 0, 0, 0, []],['HTTP-response-header-section-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4, 2, ['i32','i32']],['HTTP-response-header-size', _liftFlatRecord({ fieldMetas: [['fieldName', 
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
        , 12, 4],['fieldSize', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4],], size32: 20, align32: 4 }), 20, 4, 5, ['i32','i32','i32','i32','i32']],['HTTP-response-body-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU64, 8, 8, 1, ['i64'] ],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i64'],
          payloadMaybeNull: false,
        })
        , 16, 8, 2, ['i32','i64']],['HTTP-response-trailer-section-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4, 2, ['i32','i32']],['HTTP-response-trailer-size', _liftFlatRecord({ fieldMetas: [['fieldName', 
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
        , 12, 4],['fieldSize', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4],], size32: 20, align32: 4 }), 20, 4, 5, ['i32','i32','i32','i32','i32']],['HTTP-response-transfer-coding', 
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
        , 12, 4, 3, ['i32','i32','i32']],['HTTP-response-content-coding', 
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
        , 12, 4, 3, ['i32','i32','i32']],['HTTP-response-timeout', null, 0, 0, 0, []],['HTTP-upgrade-failed', null, 0, 0, 0, []],['HTTP-protocol-error', null, 0, 0, 0, []],['loop-detected', null, 0, 0, 0, []],['configuration-error', null, 0, 0, 0, []],['internal-error', 
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
        , 12, 4, 3, ['i32','i32','i32']],],
        variantSize32: 32,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 7,
        variantPayloadFlatTypes: ['i32','i64','i32','i32','i32','i32'],
      } ), 32, 8, 7, ['i32','i32','i64','i32','i32','i32','i32']],],
      variantSize32: 40,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 8,
      variantPayloadFlatTypes: ['i32','i32','i64','i32','i32','i32','i32'],
    })
    ],
    resultLowerFns: [],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline79,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 79,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline79.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 5,
      tableIdx: 34,
      classNameFn: () => ResponseOutparam,
      createResourceFn: 
      (handle) => {
        const rep = handleTable34[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable9.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(ResponseOutparam.prototype);
          Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
          Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
        } else {
          captureTable9.delete(rep);
        }
        rscTableRemove(handleTable34, handle);
        return resourceObj;
      }
      ,
    })
    ,
    _liftFlatResult({
      caseMetas: [['ok', _liftFlatOwn({
        componentIdx: 5,
        tableIdx: 33,
        classNameFn: () => OutgoingResponse,
        createResourceFn: 
        (handle) => {
          const rep = handleTable7[(handle << 1) + 1] & ~T_FLAG;
          let resourceObj = captureTable7.get(rep);
          if (!resourceObj) {
            resourceObj = Object.create(OutgoingResponse.prototype);
            Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
            Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
          } else {
            captureTable7.delete(rep);
          }
          rscTableRemove(handleTable7, handle);
          return resourceObj;
        }
        ,
      })
      , 4, 4, 1, ['i32']],['err', _liftFlatVariant({
        caseMetas: [['DNS-timeout', null, 0, 0, 0, []],['DNS-error', _liftFlatRecord({ fieldMetas: [['rcode', 
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
        , 12, 4],['infoCode', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU16, 2, 2, 1, ['i32'] ],
          ],
          variantSize32: 4,
          variantAlign32: 2,
          variantPayloadOffset32: 2,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 4, 2],], size32: 16, align32: 4 }), 16, 4, 5, ['i32','i32','i32','i32','i32']],['destination-not-found', null, 0, 0, 0, []],['destination-unavailable', null, 0, 0, 0, []],['destination-IP-prohibited', null, 0, 0, 0, []],['destination-IP-unroutable', null, 0, 0, 0, []],['connection-refused', null, 0, 0, 0, []],['connection-terminated', null, 0, 0, 0, []],['connection-timeout', null, 0, 0, 0, []],['connection-read-timeout', null, 0, 0, 0, []],['connection-write-timeout', null, 0, 0, 0, []],['connection-limit-reached', null, 0, 0, 0, []],['TLS-protocol-error', null, 0, 0, 0, []],['TLS-certificate-error', null, 0, 0, 0, []],['TLS-alert-received', _liftFlatRecord({ fieldMetas: [['alertId', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU8, 1, 1, 1, ['i32'] ],
          ],
          variantSize32: 2,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 2, 1],['alertMessage', 
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
        , 12, 4],], size32: 16, align32: 4 }), 16, 4, 5, ['i32','i32','i32','i32','i32']],['HTTP-request-denied', null, 0, 0, 0, []],['HTTP-request-length-required', null, 0, 0, 0, []],['HTTP-request-body-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU64, 8, 8, 1, ['i64'] ],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i64'],
          payloadMaybeNull: false,
        })
        , 16, 8, 2, ['i32','i64']],['HTTP-request-method-invalid', null, 0, 0, 0, []],['HTTP-request-URI-invalid', null, 0, 0, 0, []],['HTTP-request-URI-too-long', null, 0, 0, 0, []],['HTTP-request-header-section-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4, 2, ['i32','i32']],['HTTP-request-header-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatRecord({ fieldMetas: [['fieldName', 
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
          , 12, 4],['fieldSize', 
          _liftFlatOption({
            caseMetas: [
            ['none', null, 0, 0, 0, [] ],
            ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
            ],
            variantSize32: 8,
            variantAlign32: 4,
            variantPayloadOffset32: 4,
            variantFlatCount: 2,
            variantPayloadFlatTypes: ['i32'],
            payloadMaybeNull: false,
          })
          , 8, 4],], size32: 20, align32: 4 }), 20, 4, 5, ['i32','i32','i32','i32','i32'] ],
          ],
          variantSize32: 24,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 6,
          variantPayloadFlatTypes: ['i32','i32','i32','i32','i32'],
          payloadMaybeNull: false,
        })
        , 24, 4, 6, ['i32','i32','i32','i32','i32','i32']],['HTTP-request-trailer-section-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4, 2, ['i32','i32']],['HTTP-request-trailer-size', _liftFlatRecord({ fieldMetas: [['fieldName', 
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
        , 12, 4],['fieldSize', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4],], size32: 20, align32: 4 }), 20, 4, 5, ['i32','i32','i32','i32','i32']],['HTTP-response-incomplete', null, 0, 0, 0, []],['HTTP-response-header-section-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4, 2, ['i32','i32']],['HTTP-response-header-size', _liftFlatRecord({ fieldMetas: [['fieldName', 
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
        , 12, 4],['fieldSize', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4],], size32: 20, align32: 4 }), 20, 4, 5, ['i32','i32','i32','i32','i32']],['HTTP-response-body-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU64, 8, 8, 1, ['i64'] ],
          ],
          variantSize32: 16,
          variantAlign32: 8,
          variantPayloadOffset32: 8,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i64'],
          payloadMaybeNull: false,
        })
        , 16, 8, 2, ['i32','i64']],['HTTP-response-trailer-section-size', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4, 2, ['i32','i32']],['HTTP-response-trailer-size', _liftFlatRecord({ fieldMetas: [['fieldName', 
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
        , 12, 4],['fieldSize', 
        _liftFlatOption({
          caseMetas: [
          ['none', null, 0, 0, 0, [] ],
          ['some', _liftFlatU32, 4, 4, 1, ['i32'] ],
          ],
          variantSize32: 8,
          variantAlign32: 4,
          variantPayloadOffset32: 4,
          variantFlatCount: 2,
          variantPayloadFlatTypes: ['i32'],
          payloadMaybeNull: false,
        })
        , 8, 4],], size32: 20, align32: 4 }), 20, 4, 5, ['i32','i32','i32','i32','i32']],['HTTP-response-transfer-coding', 
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
        , 12, 4, 3, ['i32','i32','i32']],['HTTP-response-content-coding', 
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
        , 12, 4, 3, ['i32','i32','i32']],['HTTP-response-timeout', null, 0, 0, 0, []],['HTTP-upgrade-failed', null, 0, 0, 0, []],['HTTP-protocol-error', null, 0, 0, 0, []],['loop-detected', null, 0, 0, 0, []],['configuration-error', null, 0, 0, 0, []],['internal-error', 
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
        , 12, 4, 3, ['i32','i32','i32']],],
        variantSize32: 32,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 7,
        variantPayloadFlatTypes: ['i32','i64','i32','i32','i32','i32'],
      } ), 32, 8, 7, ['i32','i32','i64','i32','i32','i32','i32']],],
      variantSize32: 40,
      variantAlign32: 8,
      variantPayloadOffset32: 8,
      variantFlatCount: 8,
      variantPayloadFlatTypes: ['i32','i32','i64','i32','i32','i32','i32'],
    })
    ],
    resultLowerFns: [],
    hasResultPointer: false,
    funcTypeIsAsync: false,
    getCallbackFn: () => null,
    getPostReturnFn: () => null,
    isCancellable: false,
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline79,
  },
  );
  let trampoline80 = _trampoline80.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 80,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline80.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 35)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 5,
        tableIdx: 29,
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline80,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 80,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline80.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 35)],
    resultLowerFns: [
    _lowerFlatResult({
      caseMetas: [
      [ 'ok', _lowerFlatOwn({
        componentIdx: 5,
        tableIdx: 29,
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline80,
  },
  );
  let trampoline81 = _trampoline81.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 81,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline81.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 5,
      tableIdx: 35,
      classNameFn: () => OutgoingBody,
      createResourceFn: 
      (handle) => {
        const rep = handleTable8[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable8.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(OutgoingBody.prototype);
          Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
          Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
        } else {
          captureTable8.delete(rep);
        }
        rscTableRemove(handleTable8, handle);
        return resourceObj;
      }
      ,
    })
    ,
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatOwn({
        componentIdx: 5,
        tableIdx: 31,
        classNameFn: () => Fields,
        createResourceFn: 
        (handle) => {
          const rep = handleTable5[(handle << 1) + 1] & ~T_FLAG;
          let resourceObj = captureTable5.get(rep);
          if (!resourceObj) {
            resourceObj = Object.create(Fields.prototype);
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline81,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 81,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline81.manuallyAsync,
    paramLiftFns: [_liftFlatOwn({
      componentIdx: 5,
      tableIdx: 35,
      classNameFn: () => OutgoingBody,
      createResourceFn: 
      (handle) => {
        const rep = handleTable8[(handle << 1) + 1] & ~T_FLAG;
        let resourceObj = captureTable8.get(rep);
        if (!resourceObj) {
          resourceObj = Object.create(OutgoingBody.prototype);
          Object.defineProperty(resourceObj, symbolRscHandle, { writable: true, value: handle });
          Object.defineProperty(resourceObj, symbolRscRep, { writable: true, value: rep });
        } else {
          captureTable8.delete(rep);
        }
        rscTableRemove(handleTable8, handle);
        return resourceObj;
      }
      ,
    })
    ,
    _liftFlatOption({
      caseMetas: [
      ['none', null, 0, 0, 0, [] ],
      ['some', _liftFlatOwn({
        componentIdx: 5,
        tableIdx: 31,
        classNameFn: () => Fields,
        createResourceFn: 
        (handle) => {
          const rep = handleTable5[(handle << 1) + 1] & ~T_FLAG;
          let resourceObj = captureTable5.get(rep);
          if (!resourceObj) {
            resourceObj = Object.create(Fields.prototype);
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline81,
  },
  );
  let trampoline82 = _trampoline82.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 82,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline82.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 31),_liftFlatStringAny],
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline82,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 82,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline82.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 31),_liftFlatStringAny],
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline82,
  },
  );
  let trampoline83 = _trampoline83.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 83,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline83.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 36),_liftFlatU64],
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
          componentIdx: 5,
          tableIdx: 38,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline83,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 83,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline83.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 36),_liftFlatU64],
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
          componentIdx: 5,
          tableIdx: 38,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline83,
  },
  );
  let trampoline84 = _trampoline84.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 84,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline84.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 29),_liftFlatList({
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
          componentIdx: 5,
          tableIdx: 38,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline84,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 84,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline84.manuallyAsync,
    paramLiftFns: [_liftFlatBorrow.bind(null, 29),_liftFlatList({
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
          componentIdx: 5,
          tableIdx: 38,
          lowerFn: 
          function lowerImportedOwnedHost_Error$1(obj) {
            if (!(obj instanceof Error$1)) {
              throw new TypeError('Resource error: Not a valid \"Error$1\" resource.');
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: undefined,
    importFn: _trampoline84,
  },
  );
  let trampoline85 = _trampoline85.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(5, _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 85,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline85.manuallyAsync,
    paramLiftFns: [_liftFlatList({
      elemLiftFn: _liftFlatBorrow.bind(null, 37),
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline85,
  },
  ))) : _lowerImportBackwardsCompat.bind(
  null,
  {
    trampolineIdx: 85,
    componentIdx: 5,
    isAsync: false,
    isManualAsync: _trampoline85.manuallyAsync,
    paramLiftFns: [_liftFlatList({
      elemLiftFn: _liftFlatBorrow.bind(null, 37),
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
    memoryIdx: 2,
    stringEncoding: 'utf8',
    getMemoryFn: () => memory2,
    getReallocFn: () => realloc2,
    importFn: _trampoline85,
  },
  );
  
  const trampoline87 = _symmetricSyncGuestCallEnter;
  
  const trampoline92 = _symmetricSyncGuestCallExit;
  
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
      '[resource-drop]fields': Object.assign(_guardMayLeave(1, trampoline18), { _jcoMaySuspend: false }),
      '[resource-drop]future-incoming-response': Object.assign(_guardMayLeave(1, trampoline9), { _jcoMaySuspend: false }),
      '[resource-drop]incoming-body': Object.assign(_guardMayLeave(1, trampoline6), { _jcoMaySuspend: false }),
      '[resource-drop]incoming-response': Object.assign(_guardMayLeave(1, trampoline7), { _jcoMaySuspend: false }),
      '[resource-drop]outgoing-body': Object.assign(_guardMayLeave(1, trampoline19), { _jcoMaySuspend: false }),
      '[resource-drop]outgoing-request': Object.assign(_guardMayLeave(1, trampoline17), { _jcoMaySuspend: false }),
      '[static]fields.from-list': Object.assign(exports0['12'], { _jcoMaySuspend: false }),
      '[static]outgoing-body.finish': Object.assign(exports0['7'], { _jcoMaySuspend: false }),
      'http-error-code': Object.assign(exports0['11'], { _jcoMaySuspend: false }),
    },
    'wasi:io/error@0.2.0': {
      '[resource-drop]error': Object.assign(_guardMayLeave(1, trampoline15), { _jcoMaySuspend: false }),
    },
    'wasi:io/poll@0.2.0': {
      '[method]pollable.block': Object.assign(trampoline12, { _jcoMaySuspend: false }),
      '[method]pollable.ready': Object.assign(trampoline16, { _jcoMaySuspend: false }),
      '[resource-drop]pollable': Object.assign(_guardMayLeave(1, trampoline13), { _jcoMaySuspend: false }),
      poll: Object.assign(exports0['17'], { _jcoMaySuspend: false }),
    },
    'wasi:io/streams@0.2.0': {
      '[method]input-stream.read': Object.assign(exports0['16'], { _jcoMaySuspend: false }),
      '[method]input-stream.subscribe': Object.assign(trampoline4, { _jcoMaySuspend: false }),
      '[method]output-stream.check-write': Object.assign(exports0['14'], { _jcoMaySuspend: false }),
      '[method]output-stream.subscribe': Object.assign(trampoline1, { _jcoMaySuspend: false }),
      '[method]output-stream.write': Object.assign(exports0['15'], { _jcoMaySuspend: false }),
      '[resource-drop]input-stream': Object.assign(_guardMayLeave(1, trampoline5), { _jcoMaySuspend: false }),
      '[resource-drop]output-stream': Object.assign(_guardMayLeave(1, trampoline8), { _jcoMaySuspend: false }),
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
  ({ exports: exports3 } = instantiateCore(module4));
  ({ exports: exports4 } = instantiateCore(module3, {
    'wasi:filesystem/preopens@0.2.0': {
      'get-directories': Object.assign(exports3['11'], { _jcoMaySuspend: false }),
    },
    'wasi:filesystem/types@0.2.0': {
      '[method]descriptor.create-directory-at': Object.assign(exports3['5'], { _jcoMaySuspend: false }),
      '[method]descriptor.link-at': Object.assign(exports3['4'], { _jcoMaySuspend: false }),
      '[method]descriptor.open-at': Object.assign(exports3['10'], { _jcoMaySuspend: false }),
      '[method]descriptor.read': Object.assign(exports3['1'], { _jcoMaySuspend: false }),
      '[method]descriptor.read-directory': Object.assign(exports3['6'], { _jcoMaySuspend: false }),
      '[method]descriptor.stat': Object.assign(exports3['2'], { _jcoMaySuspend: false }),
      '[method]descriptor.stat-at': Object.assign(exports3['0'], { _jcoMaySuspend: false }),
      '[method]descriptor.sync': Object.assign(exports3['9'], { _jcoMaySuspend: false }),
      '[method]descriptor.unlink-file-at': Object.assign(exports3['8'], { _jcoMaySuspend: false }),
      '[method]descriptor.write': Object.assign(exports3['3'], { _jcoMaySuspend: false }),
      '[method]directory-entry-stream.read-directory-entry': Object.assign(exports3['7'], { _jcoMaySuspend: false }),
      '[resource-drop]descriptor': Object.assign(_guardMayLeave(3, trampoline40), { _jcoMaySuspend: false }),
      '[resource-drop]directory-entry-stream': Object.assign(_guardMayLeave(3, trampoline41), { _jcoMaySuspend: false }),
    },
  }));
  memory1 = exports4.memory;
  realloc1 = exports4.cabi_realloc;
  
  try {
    realloc1Async = WebAssembly.promising(exports4.cabi_realloc);
  } catch(err) {
    realloc1Async = exports4.cabi_realloc;
  }
  
  ({ exports: exports5 } = instantiateCore(module5, {
    '': {
      $imports: exports3.$imports,
      '0': Object.assign(trampoline42, { _jcoMaySuspend: false }),
      '1': Object.assign(trampoline43, { _jcoMaySuspend: false }),
      '10': Object.assign(trampoline52, { _jcoMaySuspend: false }),
      '11': Object.assign(trampoline53, { _jcoMaySuspend: false }),
      '2': Object.assign(trampoline44, { _jcoMaySuspend: false }),
      '3': Object.assign(trampoline45, { _jcoMaySuspend: false }),
      '4': Object.assign(trampoline46, { _jcoMaySuspend: false }),
      '5': Object.assign(trampoline47, { _jcoMaySuspend: false }),
      '6': Object.assign(trampoline48, { _jcoMaySuspend: false }),
      '7': Object.assign(trampoline49, { _jcoMaySuspend: false }),
      '8': Object.assign(trampoline50, { _jcoMaySuspend: false }),
      '9': Object.assign(trampoline51, { _jcoMaySuspend: false }),
    },
  }));
  ({ exports: exports6 } = instantiateCore(module7));
  ({ exports: exports7 } = instantiateCore(module6, {
    'messaging:integration/inbox@0.2.0': {
      put: Object.assign(exports6['15'], { _jcoMaySuspend: false }),
    },
    'messaging:integration/messaging@0.2.0': {
      'handle-event': Object.assign(exports6['14'], { _jcoMaySuspend: false }),
    },
    'wasi:cli/environment@0.2.0': {
      'get-environment': Object.assign(exports6['0'], { _jcoMaySuspend: false }),
    },
    'wasi:cli/stderr@0.2.0': {
      'get-stderr': Object.assign(trampoline54, { _jcoMaySuspend: false }),
    },
    'wasi:clocks/monotonic-clock@0.2.0': {
      now: Object.assign(trampoline56, { _jcoMaySuspend: false }),
      'subscribe-instant': Object.assign(trampoline57, { _jcoMaySuspend: false }),
    },
    'wasi:http/types@0.2.0': {
      '[constructor]fields': Object.assign(trampoline63, { _jcoMaySuspend: false }),
      '[constructor]outgoing-response': Object.assign(trampoline64, { _jcoMaySuspend: false }),
      '[method]fields.get': Object.assign(exports6['10'], { _jcoMaySuspend: false }),
      '[method]incoming-body.stream': Object.assign(exports6['4'], { _jcoMaySuspend: false }),
      '[method]incoming-request.consume': Object.assign(exports6['3'], { _jcoMaySuspend: false }),
      '[method]incoming-request.headers': Object.assign(trampoline55, { _jcoMaySuspend: false }),
      '[method]incoming-request.method': Object.assign(exports6['1'], { _jcoMaySuspend: false }),
      '[method]incoming-request.path-with-query': Object.assign(exports6['2'], { _jcoMaySuspend: false }),
      '[method]outgoing-body.write': Object.assign(exports6['8'], { _jcoMaySuspend: false }),
      '[method]outgoing-response.body': Object.assign(exports6['6'], { _jcoMaySuspend: false }),
      '[method]outgoing-response.set-status-code': Object.assign(trampoline65, { _jcoMaySuspend: false }),
      '[resource-drop]fields': Object.assign(_guardMayLeave(5, trampoline71), { _jcoMaySuspend: false }),
      '[resource-drop]incoming-body': Object.assign(_guardMayLeave(5, trampoline60), { _jcoMaySuspend: false }),
      '[resource-drop]incoming-request': Object.assign(_guardMayLeave(5, trampoline69), { _jcoMaySuspend: false }),
      '[resource-drop]outgoing-body': Object.assign(_guardMayLeave(5, trampoline68), { _jcoMaySuspend: false }),
      '[resource-drop]outgoing-response': Object.assign(_guardMayLeave(5, trampoline66), { _jcoMaySuspend: false }),
      '[resource-drop]response-outparam': Object.assign(_guardMayLeave(5, trampoline67), { _jcoMaySuspend: false }),
      '[static]fields.from-list': Object.assign(exports6['5'], { _jcoMaySuspend: false }),
      '[static]outgoing-body.finish': Object.assign(exports6['9'], { _jcoMaySuspend: false }),
      '[static]response-outparam.set': Object.assign(exports6['7'], { _jcoMaySuspend: false }),
    },
    'wasi:io/error@0.2.0': {
      '[resource-drop]error': Object.assign(_guardMayLeave(5, trampoline61), { _jcoMaySuspend: false }),
    },
    'wasi:io/poll@0.2.0': {
      '[resource-drop]pollable': Object.assign(_guardMayLeave(5, trampoline70), { _jcoMaySuspend: false }),
      poll: Object.assign(exports6['13'], { _jcoMaySuspend: false }),
    },
    'wasi:io/streams@0.2.0': {
      '[method]input-stream.read': Object.assign(exports6['11'], { _jcoMaySuspend: false }),
      '[method]input-stream.subscribe': Object.assign(trampoline58, { _jcoMaySuspend: false }),
      '[method]output-stream.blocking-write-and-flush': Object.assign(exports6['12'], { _jcoMaySuspend: false }),
      '[resource-drop]input-stream': Object.assign(_guardMayLeave(5, trampoline59), { _jcoMaySuspend: false }),
      '[resource-drop]output-stream': Object.assign(_guardMayLeave(5, trampoline62), { _jcoMaySuspend: false }),
    },
  }));
  memory2 = exports7.memory;
  realloc2 = exports7.cabi_realloc;
  
  try {
    realloc2Async = WebAssembly.promising(exports7.cabi_realloc);
  } catch(err) {
    realloc2Async = exports7.cabi_realloc;
  }
  
  ({ exports: exports8 } = instantiateCore(module9, {
    async: {
      'enter-sync-call': Object.assign(trampoline87, { _jcoMaySuspend: false }),
      'exit-sync-call': Object.assign(trampoline92, { _jcoMaySuspend: false }),
    },
    augments: {
      'mem1 I32Load': (ptr, off) => new DataView(exports7.memory.buffer).getInt32(ptr + off, true),
      'mem1 I32Store': (ptr, val, offset) => {
        new DataView(exports7.memory.buffer).setInt32(ptr + offset, val, true);
      },
      'mem1 I32Store16': (ptr, val, offset) => {
        new DataView(exports7.memory.buffer).setInt16(ptr + offset, val, true);
      },
      'mem1 I32Store8': (ptr, val, offset) => {
        new DataView(exports7.memory.buffer).setInt8(ptr + offset, val, true);
      },
      'mem1 MemorySize': ptr => exports7.memory.buffer.byteLength / 65536,
      'mem2 I32Load': (ptr, off) => new DataView(exports4.memory.buffer).getInt32(ptr + off, true),
      'mem2 I32Load8U': (ptr, off) => new DataView(exports4.memory.buffer).getUint8(ptr + off, true),
      'mem2 MemorySize': ptr => exports4.memory.buffer.byteLength / 65536,
    },
    callee: {
      adapter0: Object.assign(exports1['messaging:integration/messaging@0.2.0#handle-event'], { _jcoMaySuspend: false }),
      adapter1: Object.assign(exports4['messaging:integration/inbox@0.2.0#put'], { _jcoMaySuspend: false }),
    },
    context: {
      get0: contextGet.bind(null, { slot: 0 }),
      get1: contextGet.bind(null, { slot: 1 }),
      set0: contextSet.bind(null, { slot: 0 }),
      set1: contextSet.bind(null, { slot: 1 }),
    },
    flags: {
      instance1: instanceFlags1,
      instance3: instanceFlags3,
      instance5: instanceFlags5,
    },
    memory: {
      m0: exports1.memory,
    },
    post_return: {
      adapter0: Object.assign(exports1['cabi_post_messaging:integration/messaging@0.2.0#handle-event'], { _jcoMaySuspend: false }),
      adapter1: Object.assign(exports4['cabi_post_messaging:integration/inbox@0.2.0#put'], { _jcoMaySuspend: false }),
    },
    realloc: {
      f0: Object.assign(exports1.cabi_realloc, { _jcoMaySuspend: false }),
      f1: Object.assign(exports7.cabi_realloc, { _jcoMaySuspend: false }),
      f18: Object.assign(exports4.cabi_realloc, { _jcoMaySuspend: false }),
    },
    runtime: {
      trap1: Object.assign(trampoline93, { _jcoMaySuspend: false }),
      trap23: Object.assign(trampoline86, { _jcoMaySuspend: false }),
      trap30: Object.assign(trampoline90, { _jcoMaySuspend: false }),
      trap31: Object.assign(trampoline88, { _jcoMaySuspend: false }),
      trap32: Object.assign(trampoline94, { _jcoMaySuspend: false }),
      trap33: Object.assign(trampoline89, { _jcoMaySuspend: false }),
    },
    transcode: {
      'utf8-to-utf8 (mem0 => mem1)': Object.assign(trampoline95, { _jcoMaySuspend: false }),
      'utf8-to-utf8 (mem1 => mem0)': Object.assign(trampoline91, { _jcoMaySuspend: false }),
      'utf8-to-utf8 (mem1 => mem2)': Object.assign(trampoline96, { _jcoMaySuspend: false }),
      'utf8-to-utf8 (mem2 => mem1)': Object.assign(trampoline97, { _jcoMaySuspend: false }),
    },
  }));
  ({ exports: exports9 } = instantiateCore(module8, {
    '': {
      $imports: exports6.$imports,
      '0': Object.assign(trampoline72, { _jcoMaySuspend: false }),
      '1': Object.assign(trampoline73, { _jcoMaySuspend: false }),
      '10': Object.assign(trampoline82, { _jcoMaySuspend: false }),
      '11': Object.assign(trampoline83, { _jcoMaySuspend: false }),
      '12': Object.assign(trampoline84, { _jcoMaySuspend: false }),
      '13': Object.assign(trampoline85, { _jcoMaySuspend: false }),
      '14': Object.assign(exports8.adapter0, { _jcoMaySuspend: false }),
      '15': Object.assign(exports8.adapter1, { _jcoMaySuspend: false }),
      '2': Object.assign(trampoline74, { _jcoMaySuspend: false }),
      '3': Object.assign(trampoline75, { _jcoMaySuspend: false }),
      '4': Object.assign(trampoline76, { _jcoMaySuspend: false }),
      '5': Object.assign(trampoline77, { _jcoMaySuspend: false }),
      '6': Object.assign(trampoline78, { _jcoMaySuspend: false }),
      '7': Object.assign(trampoline79, { _jcoMaySuspend: false }),
      '8': Object.assign(trampoline80, { _jcoMaySuspend: false }),
      '9': Object.assign(trampoline81, { _jcoMaySuspend: false }),
    },
  }));
  
  function trampoline86() {
    throw new WebAssemblyRuntimeError("wasm trap: cannot leave component instance");
  }
  
  
  function trampoline88() {
    throw new WebAssemblyRuntimeError("wasm trap: list content out-of-bounds");
  }
  
  
  function trampoline89() {
    throw new WebAssemblyRuntimeError("wasm trap: unaligned pointer");
  }
  
  
  function trampoline90() {
    throw new WebAssemblyRuntimeError("wasm trap: string content out-of-bounds");
  }
  
  
  function trampoline91(from_ptr, len, to_ptr) {
    new Uint8Array(memory0.buffer, to_ptr, len).set(new Uint8Array(memory2.buffer, from_ptr, len));
  }
  
  
  function trampoline93() {
    throw new WebAssemblyRuntimeError("wasm trap: out of bounds memory access");
  }
  
  
  function trampoline94() {
    throw new WebAssemblyRuntimeError("wasm trap: invalid variant discriminant");
  }
  
  
  function trampoline95(from_ptr, len, to_ptr) {
    new Uint8Array(memory2.buffer, to_ptr, len).set(new Uint8Array(memory0.buffer, from_ptr, len));
  }
  
  
  function trampoline96(from_ptr, len, to_ptr) {
    new Uint8Array(memory1.buffer, to_ptr, len).set(new Uint8Array(memory2.buffer, from_ptr, len));
  }
  
  
  function trampoline97(from_ptr, len, to_ptr) {
    new Uint8Array(memory2.buffer, to_ptr, len).set(new Uint8Array(memory1.buffer, from_ptr, len));
  }
  
  incomingHandler020Handle = exports7['wasi:http/incoming-handler@0.2.0#handle'];
  const incomingHandler020 = {
    handle: handle$1,
    
  };
  
  return { incomingHandler: incomingHandler020, 'wasi:http/incoming-handler@0.2.0': incomingHandler020,  };
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

